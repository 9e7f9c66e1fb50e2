package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5/pgconn"
)

// errForeignRow is why nothing is decided about a row that no store of leases can have written. It is left as it is.
var errForeignRow = errors.New("postgres: what the row of the key holds is no lease")

// StoreError says that the server could not be asked, or did not do what it was asked. Its text is the operation and the SQLSTATE, if the server gave
// one; the driver's error, which may hold an address or a server's text, is in its chain.
type StoreError struct {
	// Op is "create", "open", "acquire", "renew", "release" or "inspect".
	Op string
	// SQLState is the code of the server's error, or "".
	SQLState string

	cause error
}

func storeError(op string, cause error) *StoreError {
	e := &StoreError{Op: op, cause: cause}
	var reply *pgconn.PgError
	if errors.As(cause, &reply) {
		e.SQLState = reply.Code
	}
	return e
}

// Error names the operation and what is known of the fault.
func (e *StoreError) Error() string {
	text := "postgres: " + e.Op + ": "
	switch {
	case errors.Is(e.cause, errForeignRow):
		return text + "what is stored is no lease"
	case e.SQLState != "":
		return text + "the server said SQLSTATE " + e.SQLState
	case errors.Is(e.cause, context.Canceled):
		return text + "context ended"
	case errors.Is(e.cause, context.DeadlineExceeded), pgconn.Timeout(e.cause):
		return text + "no answer in time"
	}
	return text + "no connection"
}

// Unwrap gives the driver's error.
func (e *StoreError) Unwrap() error { return e.cause }

// nothingDone tells whether a statement that failed certainly did nothing: it was not sent, or the server said ERROR, with which it has rolled back. A
// server that ends the connection, which it says as FATAL or PANIC, may have done it before.
func nothingDone(err error) bool {
	var reply *pgconn.PgError
	if errors.As(err, &reply) {
		return reply.SeverityUnlocalized == "ERROR"
	}
	return pgconn.SafeToRetry(err)
}

// SettingError says what the server is or does that a store of leases must not rely on.
type SettingError struct{ Setting, Seen, Wanted, Consequence string }

// Error names all four.
func (e *SettingError) Error() string {
	return "postgres: " + e.Setting + " is " + e.Seen + ", must be " + e.Wanted + ": " + e.Consequence
}
