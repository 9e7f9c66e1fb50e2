package lease

import (
	"context"
	"crypto/rand"
	"time"
)

// Store grants leases. Every implementation is safe for concurrent use. Keys are 1 byte to 1 MiB ([MaxKeyBytes]); owners are names of 1 to 64 of the
// characters A-Z a-z 0-9 _ . -, for whoever looks at who holds what; durations are exact to the microsecond, rounded down.
//
// An error is an *[Error]: one that [errors.Is] [ErrNoDecision], for which nothing was changed, or [ErrIndeterminate]. An argument that cannot be is an
// [ErrNoDecision] with an *[ArgumentError] in its chain.
type Store interface {
	// Acquire asks for the lease of key for ttl, 1 ms to the store's MaxHold. If nobody holds it, or the holder's time is up, the token grows and the
	// lease begins: [Granted]. If this very request holds it, the answer is the same grant again, with the time that is left of it. Else it is [Held].
	Acquire(ctx context.Context, key, owner string, request RequestID, ttl time.Duration) (Acquired, error)

	// Renew makes the lease end ttl from now, or at MaxHold since its grant if that is earlier. The token stays.
	Renew(ctx context.Context, key string, token Token, ttl time.Duration) (Renewed, error)

	// Release ends the lease at once. The token stays the highest of its key. After an indeterminate Release, one that is lost says as well that the
	// lease is over.
	Release(ctx context.Context, key string, token Token) (Released, error)

	// Inspect tells who holds key, if anybody does. What it tells may be over when it arrives.
	Inspect(ctx context.Context, key string) (Inspection, error)
}

// Token is the fencing token of a grant: above every earlier one of its key, not 0, and below 2^53, so that a float, a signed integer and a column of a
// database hold it exactly.
type Token uint64

// MaxToken is the highest there can be.
const MaxToken Token = 1<<53 - 1

// RequestID tells requests for leases apart, so that one that is repeated after its answer was lost gets its own grant. It is random; the zero value is
// refused.
type RequestID [16]byte

// NewRequestID gives one that nobody has had.
func NewRequestID() RequestID {
	var id RequestID
	_, _ = rand.Read(id[:]) // never fails
	return id
}
