package adapters

import (
	"context"
	"errors"
	"io"
	"net"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/bench/internal/contender"
)

// Reasons of refusals and failures, alike for all libraries.
const (
	ReasonSource    = "source"    // the source's own failure
	ReasonStore     = "store"     // a Redis that does not answer
	ReasonPanic     = "panic"     // the loader's panic, in the caller's goroutine
	ReasonCancelled = "cancelled" // a context ended that is not the caller's
	ReasonEntry     = "entry"     // a stored entry that must not be believed
	ReasonExited    = "exited"    // the loader ended its goroutine
	ReasonOther     = "error"     // whatever else a library says
)

// knowledge is what an adapter knows of its library's errors.
type knowledge struct {
	absent  []error          // mean that the source has no such row
	refused map[error]string // are refusals by a bound of the library, and what to call it
	soft    time.Duration    // the age from which a row is a stale one; 0 for libraries without a stale state
}

// ask reads one row for one caller and says how that ended. It runs get in the caller's goroutine, as a service would, and takes a panic that
// comes out of it for an answer, as the server of such a service would. What a library does with the goroutine beyond that, such as end it, it
// leaves to happen.
//
// The libraries do not tell a hit from a value that was loaded meanwhile. A row that the source read after the call began counts as loaded.
func (k knowledge) ask(ctx context.Context, get func() (contender.Row, error)) (answer contender.Answer) {
	began := time.Now()
	defer func() {
		if recover() != nil {
			answer = contender.Answer{Ending: contender.Failed, Reason: ReasonPanic}
		}
	}()
	row, err := get()
	if err != nil {
		return k.failure(ctx, err)
	}
	return contender.Answer{Ending: k.ending(row, began, time.Now()), Row: row}
}

// ending is pure.
func (k knowledge) ending(row contender.Row, began, now time.Time) contender.Ending {
	switch {
	case row.ReadAt >= began.UnixMicro():
		return contender.Loaded
	case k.soft > 0 && row.Age(now) > k.soft:
		return contender.Stale
	default:
		return contender.Hit
	}
}

// failure is what an error means to the caller of ctx.
func (k knowledge) failure(ctx context.Context, err error) contender.Answer {
	for _, absent := range append(k.absent, contender.ErrNoRow) {
		if errors.Is(err, absent) {
			return contender.Answer{Ending: contender.Absent}
		}
	}
	for refusal, reason := range k.refused {
		if errors.Is(err, refusal) {
			return contender.Answer{Ending: contender.Rejected, Reason: reason}
		}
	}
	if ctx.Err() != nil {
		return contender.Answer{Ending: contender.TimedOut}
	}
	return contender.Answer{Ending: contender.Failed, Reason: reason(err)}
}

func reason(err error) string {
	switch {
	case errors.Is(err, contender.ErrSource):
		return ReasonSource
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return ReasonCancelled
	case ofTheStore(err):
		return ReasonStore
	default:
		return ReasonOther
	}
}

func ofTheStore(err error) bool {
	var network net.Error
	var server redis.Error
	return errors.As(err, &network) || errors.As(err, &server) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, redis.ErrPoolTimeout) || errors.Is(err, redis.ErrClosed)
}
