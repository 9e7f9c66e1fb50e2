// Package postgres keeps leases in a table of a PostgreSQL database: a [Store] is a lease.Store with every guarantee of the package lease, acknowledged
// leases that survive a crash of the server included. It is a module of its own, so that a program without PostgreSQL downloads none of its driver.
//
// # Model
//
// A table, which [CreateTable] makes once, holds one row for each key: its highest token, and whose it is until when, in microseconds of the server's
// clock. A key is stored as an HMAC-SHA-256 of its text; owners are readable. Rows are never deleted, since with a row the order of tokens would go, so that
// names of leases belong to a set that does not grow for ever.
//
// Each operation is one statement in a transaction of its own, sent once, within Timeout, that locks its row and then decides on clock_timestamp():
//
//	Acquire   INSERT … ON CONFLICT DO UPDATE … RETURNING
//	Renew     UPDATE … RETURNING
//	Release   UPDATE … RETURNING
//	Inspect   SELECT
//
// A row that they cannot have written, since a hand has altered it past the checks of the table, is left as it is: every operation on it is no decision.
//
// A refused Acquire writes its row as well, with nothing changed but the time of the decision: a row that is asked for often wants autovacuum, which the
// room that the table leaves in its pages makes cheap.
//
// # Not guaranteed
//
//   - That a lease survives a failover to a replica that lags. Its token grows all the same, unless the replica's clock is behind.
//   - Anything while a role or a pool sets another transaction isolation than read committed: [New] refuses the one that it finds, and what is set later
//     turns concurrent acquires into errors, never into two grants.
//
// # Permissions
//
// A role needs SELECT, INSERT and UPDATE on the table.
package postgres
