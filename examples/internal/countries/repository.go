package countries

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Repository reads and writes countries in a SQLite file. It is safe for concurrent use.
type Repository struct{ db *sql.DB }

// Create makes a new SQLite file at path and fills it with [All].
func Create(ctx context.Context, path string) (*Repository, error) {
	// A busy timeout of zero makes SQLite report a lock at once; how long a read may wait is the cache policy's affair here.
	dsn := url.URL{Scheme: "file", Path: path, RawQuery: url.Values{"_pragma": {"busy_timeout(0)"}}.Encode()}
	db, err := sql.Open("sqlite", dsn.String())
	if err != nil {
		return nil, fmt.Errorf("countries: opening: %w", err)
	}
	r := &Repository{db: db}
	if err := r.fill(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("countries: filling: %w", err), db.Close())
	}
	return r, nil
}

const schema = `CREATE TABLE country (
	alpha2  TEXT PRIMARY KEY,
	alpha3  TEXT NOT NULL UNIQUE,
	numeric INTEGER NOT NULL UNIQUE,
	name    TEXT NOT NULL
)`

func (r *Repository) fill(ctx context.Context) error {
	all, err := All()
	if err != nil {
		return err
	}
	tx, err := r.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // after Commit it only says that it is done
	if _, err := tx.ExecContext(ctx, schema); err != nil {
		return err
	}
	for _, c := range all {
		_, err := tx.ExecContext(ctx, `INSERT INTO country VALUES (?, ?, ?, ?)`, c.Alpha2, c.Alpha3, c.Numeric, c.Name)
		if err != nil {
			return err
		}
	}
	return tx.Commit()
}

// ByAlpha2 reads the country with the given two-letter code. [sql.ErrNoRows] is in the chain of the error if there is none.
func (r *Repository) ByAlpha2(ctx context.Context, code string) (Country, error) {
	var c Country
	err := r.db.QueryRowContext(ctx, `SELECT alpha2, alpha3, numeric, name FROM country WHERE alpha2 = ?`, code).
		Scan(&c.Alpha2, &c.Alpha3, &c.Numeric, &c.Name)
	if err != nil {
		return Country{}, fmt.Errorf("countries: reading by alpha-2 code: %w", err)
	}
	return c, nil
}

// Rename gives the country with the two-letter code another name. [sql.ErrNoRows] is in the chain of the error if there is none.
func (r *Repository) Rename(ctx context.Context, code, name string) error {
	done, err := r.db.ExecContext(ctx, `UPDATE country SET name = ? WHERE alpha2 = ?`, name, code)
	if err != nil {
		return fmt.Errorf("countries: renaming: %w", err)
	}
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		return fmt.Errorf("countries: renaming: %w", errors.Join(err, sql.ErrNoRows))
	}
	return nil
}

// Count tells how many countries there are.
func (r *Repository) Count(ctx context.Context) (int, error) {
	var n int
	if err := r.db.QueryRowContext(ctx, `SELECT count(*) FROM country`).Scan(&n); err != nil {
		return 0, fmt.Errorf("countries: counting: %w", err)
	}
	return n, nil
}

// Lock takes the file's exclusive lock, as the long write of another process would. Until unlock is called every read fails, and [IsBusy] tells
// so.
func (r *Repository) Lock(ctx context.Context) (unlock func() error, err error) {
	conn, err := r.db.Conn(ctx)
	if err != nil {
		return nil, fmt.Errorf("countries: locking: %w", err)
	}
	if _, err := conn.ExecContext(ctx, `BEGIN EXCLUSIVE`); err != nil {
		return nil, errors.Join(fmt.Errorf("countries: locking: %w", err), conn.Close())
	}
	return func() error {
		_, err := conn.ExecContext(context.WithoutCancel(ctx), `ROLLBACK`)
		return errors.Join(err, conn.Close())
	}, nil
}

// Close closes the file.
func (r *Repository) Close() error { return r.db.Close() }

// IsBusy tells whether err says that somebody else holds the file's lock, and gives a code for it that is fit for a label.
func IsBusy(err error) (code string, ok bool) {
	var failure *sqlite.Error
	if errors.As(err, &failure) && failure.Code()&0xff == sqlite3.SQLITE_BUSY { // the low byte; the rest refines it
		return "sqlite_busy", true
	}
	return "", false
}
