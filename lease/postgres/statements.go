package postgres

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"
)

// What a statement decided, as it leaves it in its row: RETURNING sees no row but the new one.
const (
	outcomeForeign    = 0 // what is in the row is no lease; left nowhere, since such a row is not written
	outcomeDone       = 1
	outcomeSuperseded = 2 // or held
	outcomeExpired    = 3
	outcomeMaxHold    = 4
)

// statements are those of one table. Each reads the clock once, in a subquery that is not flattened since the clock is volatile, and after the row is
// locked, where there is one.
type statements struct{ create, acquire, renew, release, inspect string }

const clockSource = `(SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS now) AS n`

// createSource leaves room in each page, so that a row that is written again stays in its page.
const createSource = `CREATE TABLE IF NOT EXISTS TABLE_NAME (
  key bytea PRIMARY KEY CHECK (octet_length(key) = 32),
  token bigint NOT NULL CHECK (token BETWEEN 1 AND 9007199254740991),
  owner text NOT NULL CHECK (owner COLLATE "C" ~ '^[A-Za-z0-9_.-]{1,64}$'),
  request bytea NOT NULL CHECK (octet_length(request) = 16),
  expires bigint NOT NULL CHECK (expires BETWEEN 0 AND latest),
  latest bigint NOT NULL CHECK (latest <= 9007199254740991),
  decided bigint NOT NULL,
  outcome smallint NOT NULL
) WITH (fillfactor = 50)`

// soundSource tells whether a row could have been written by these statements. The table's own checks may have been dropped, or come after a row.
const soundSource = `(l.token BETWEEN 1 AND 9007199254740991 AND l.expires BETWEEN 0 AND l.latest AND l.latest <= 9007199254740991
  AND l.owner COLLATE "C" ~ '^[A-Za-z0-9_.-]{1,64}$') IS TRUE`

// acquireSource gives no row where what is there is no lease. It takes $1 key, $2 owner, $3 request, $4 lease, $5 the most that it may be held.
const acquireSource = `INSERT INTO TABLE_NAME AS l (key, token, owner, request, expires, latest, decided, outcome)
SELECT $1::bytea, n.now, $2::text, $3::bytea, n.now + $4::bigint, n.now + $5::bigint, n.now, 1 FROM CLOCK
ON CONFLICT (key) DO UPDATE SET (token, owner, request, expires, latest, decided, outcome) = (
  SELECT
    CASE WHEN d.free THEN greatest(l.token + 1, d.now) ELSE l.token END,
    CASE WHEN d.free THEN excluded.owner ELSE l.owner END,
    CASE WHEN d.free THEN excluded.request ELSE l.request END,
    CASE WHEN d.free THEN d.now + $4::bigint ELSE l.expires END,
    CASE WHEN d.free THEN d.now + $5::bigint ELSE l.latest END,
    d.now,
    CASE WHEN d.free OR l.request = excluded.request THEN 1 ELSE 2 END
  FROM (SELECT n.now, l.expires <= n.now AS free FROM CLOCK) AS d)
WHERE SOUND
RETURNING outcome, token, expires, decided, owner`

// lockedSource waits for the row before anything is decided about it: an update that waits by itself has read the clock before.
const lockedSource = `WITH locked AS MATERIALIZED (SELECT key, SOUND AS sound FROM TABLE_NAME AS l WHERE key = $1::bytea FOR UPDATE), changed AS (
`

// changedSource ends what lockedSource begins.
const changedSource = `
FROM locked WHERE l.key = locked.key AND locked.sound
RETURNING outcome, token, expires, decided, owner)
SELECT outcome, token, expires, decided, owner FROM changed UNION ALL SELECT 0::smallint, 0, 0, 0, '' FROM locked WHERE NOT sound`

// renewSource takes $1 key, $2 token, $3 lease.
const renewSource = lockedSource + `UPDATE TABLE_NAME AS l SET (expires, decided, outcome) = (
  SELECT CASE WHEN d.outcome = 1 THEN least(d.now + $3::bigint, l.latest) ELSE l.expires END, d.now, d.outcome FROM DECIDED)` + changedSource

// releaseSource takes $1 key, $2 token. The expiry becomes 0 and not the present, which would be ahead again where the clock goes back.
const releaseSource = lockedSource + `UPDATE TABLE_NAME AS l SET (expires, decided, outcome) = (
  SELECT CASE WHEN d.outcome = 1 THEN 0 ELSE l.expires END, d.now, d.outcome FROM DECIDED)` + changedSource

// decidedSource tells whether the lease of token $2 lives, and why not.
const decidedSource = `(
    SELECT n.now, CASE
      WHEN l.token <> $2::bigint THEN 2
      WHEN n.now < l.expires THEN 1
      WHEN l.expires >= l.latest THEN 4
      ELSE 3 END AS outcome
    FROM CLOCK) AS d`

// inspectSource takes $1 key.
const inspectSource = `SELECT CASE WHEN l.key IS NULL THEN 2 WHEN NOT SOUND THEN 0 WHEN n.now < l.expires THEN 1 ELSE 2 END::smallint,
  coalesce(l.token, 0), coalesce(l.expires, 0), n.now, coalesce(l.owner, '')
FROM CLOCK LEFT JOIN TABLE_NAME AS l ON l.key = $1::bytea`

func newStatements(table string) statements {
	of := strings.NewReplacer("TABLE_NAME", table)
	fill := func(source string) string {
		source = strings.ReplaceAll(source, "DECIDED", decidedSource)
		source = strings.ReplaceAll(source, "SOUND", soundSource)
		return of.Replace(strings.ReplaceAll(source, "CLOCK", clockSource))
	}
	return statements{
		create: fill(createSource), acquire: fill(acquireSource), renew: fill(renewSource), release: fill(releaseSource), inspect: fill(inspectSource),
	}
}

// CreateTable makes the table of leases, unless it is there. A program whose role may not do so runs what [Schema] gives as one that may.
func CreateTable(ctx context.Context, pool *pgxpool.Pool, table string) error {
	statement, err := Schema(table)
	if err != nil {
		return err
	}
	if _, err := pool.Exec(ctx, statement); err != nil {
		return storeError("create", err)
	}
	return nil
}

// Schema gives the statement that makes the table of leases, unless it is there. "" means cacheaside_leases. An error is a *[lease.ArgumentError].
func Schema(table string) (string, error) {
	if table == "" {
		table = DefaultTable
	}
	name, err := quoted(table)
	if err != nil {
		return "", err
	}
	return newStatements(name).create, nil
}
