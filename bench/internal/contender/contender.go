package contender

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

// Row is what the source holds under a key.
type Row struct {
	Version uint64 // grows with each write of the row; 0 is no row
	ReadAt  int64  // when the source read it, in Unix microseconds
	Body    []byte
}

// Age is how long ago the source read the row.
func (r Row) Age(now time.Time) time.Duration {
	return time.Duration(now.UnixMicro()-r.ReadAt) * time.Microsecond
}

// What a source answers beside a row.
var (
	ErrNoRow  = errors.New("source: no such row")       // authoritative
	ErrSource = errors.New("source: temporary failure") // transient
)

// Source is where truth lives. Load may outlive its context: whether the work goes on then is up to the source.
type Source interface {
	Load(ctx context.Context, key uint64) (Row, error)
}

// Entry is what the plain contenders keep in the store.
type Entry struct {
	Row       Row           // zero for a row that is not there
	Cost      time.Duration // how long the load took
	ExpiresAt time.Time
}

// Store is what the plain contenders use of a Redis: GET, SET with PX, DEL, and a lock by SET NX PX.
type Store interface {
	Get(ctx context.Context, key uint64) (Entry, bool, error)
	Set(ctx context.Context, key uint64, entry Entry, ttl time.Duration) error
	Delete(ctx context.Context, key uint64) error
	Lock(ctx context.Context, key uint64, ttl time.Duration) (bool, error)
	Unlock(ctx context.Context, key uint64) error
}

// TTL is how long values live, alike for all contenders: those without a stale state drop a value at Soft.
type TTL struct {
	Soft, Hard, Negative time.Duration
}

// Node is what one process of a service reads through.
type Node struct {
	Number int
	Source Source
	Store  Store                         // for the plain contenders
	Cache  cacheaside.Cache[uint64, Row] // for those on this library
	TTL    TTL
	Policy func(*cacheaside.Policy) // changes the preset of P6 to P8; nil leaves it
	Random func() float64           // in [0, 1); for P5
	Names  io.Reader                // of the requests for a fleet's grants; nil takes the system's randomness
}

// Ending is how a read ended for its caller.
type Ending uint8

// A read is answered with a fresh row, a row loaded for it, an old row, or the knowledge that there is none; or it is refused by a bound, has
// failed, or has outlived its caller's deadline.
const (
	Hit Ending = iota + 1
	Loaded
	Stale
	Absent
	Rejected
	Failed
	TimedOut
)

// String gives the name of the constant in lower case.
func (e Ending) String() string {
	return [...]string{"none", "hit", "loaded", "stale", "absent", "rejected", "failed", "timed out"}[e]
}

// Answered tells whether the caller knows what the source holds, or held.
func (e Ending) Answered() bool { return e >= Hit && e <= Absent }

// Answer is what one read gives.
type Answer struct {
	Ending        Ending
	Reason        string    // of a refusal or failure: a bound's name, "source", "store", "panic"
	Row           Row       // of an answer that is not Absent
	HardExpiresAt time.Time // of a stale row, where known
}

// Reader reads rows for many callers at once.
type Reader interface {
	Get(ctx context.Context, key uint64) Answer
	// Invalidate is called after the row was written to the source; after nil no later Get may be answered with an older one.
	Invalidate(ctx context.Context, key uint64) error
	// Close ends what the reader started and waits for it, within ctx.
	Close(ctx context.Context) error
}

// Contender is one way of reading.
type Contender struct {
	ID   string // "P0"
	Name string // a few words
	Open func(Node) (Reader, error)
	// Library says that it reads through Node.Cache, else through Node.Store. Fenced says that the cache must be one for fenced fills.
	Library, Fenced bool
}
