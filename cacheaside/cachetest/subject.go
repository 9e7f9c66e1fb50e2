package cachetest

import (
	"testing"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

// Document is what the suite stores: a number that no float holds exactly, a text, and a slice that may be nil or empty.
type Document struct {
	ID   int64
	Text string
	Tags []string
}

// Options is what a subject must be built with. Durations are exact: a cache that can spread its expiries has that turned off.
type Options struct {
	Soft, Hard, Negative, MinHard, Tombstone time.Duration

	// MaxValueBytes is the limit on a value's size for a cache that has one: a document whose text alone is longer must be refused, and one a
	// tenth as long must be accepted.
	MaxValueBytes int

	// Fenced, OrderedRevisions and GenerationAge are set for the assertions that need a cache which is built for fenced fills, with ordered
	// revisions, or with generations. A cache that cannot, or a harness that does not look at them, skips those assertions.
	Fenced, OrderedRevisions bool
	GenerationAge            time.Duration
}

func suiteOptions() Options {
	return Options{
		Soft: 10 * time.Second, Hard: 60 * time.Second, Negative: 5 * time.Second, MinHard: time.Second, Tombstone: 30 * time.Second,
		MaxValueBytes: 64 << 10,
	}
}

// Subject is one cache under test with what the suite may do around it. Each assertion gets one of its own, on an empty store, or on a part of a
// store that nobody else writes. Its functions are called from the test's goroutine only, while no call of the cache is running.
type Subject struct {
	// Cache is the cache under test. If it is a [cacheaside.Invalidator], tombstones are tested too.
	Cache cacheaside.Cache[string, Document]

	// Now tells the time of the cache's clock.
	Now func() time.Time

	// Advance moves that clock, and the store's where it can be moved. The clock stands still in between. Of a cache that is built for fenced
	// fills it steps back where d is negative, unless AgeFence does.
	Advance func(d time.Duration)

	// Second is another instance on the same store with the same configuration and clock, as another process has it. For a cache that lives in
	// its process it is the very same one. Nil skips.
	Second cacheaside.Cache[string, Document]

	// Drop makes the store lose what it holds for key, as an eviction does. Nil skips.
	Drop func(key string)

	// Break makes the store unreachable for the rest of the subject's life. Nil skips.
	Break func()

	// BoundsSize tells that the cache refuses values above [Options.MaxValueBytes].
	BoundsSize bool

	// DropFence makes the store lose the fence record of key, with its entry or without. Nil skips.
	DropFence func(key string)

	// AgeFence makes the fence record of key older, as if so much time had passed on the store's clock, where that does not follow Advance: its grant
	// ends so much earlier, and it itself. A negative time makes it younger. Nil says that the store's clock does follow.
	AgeFence func(key string, by time.Duration)

	// Skewed gives another instance on the same store whose own clock is off by so much. Nil skips.
	Skewed func(off time.Duration) cacheaside.Cache[string, Document]

	// OtherMode is an instance of the same region on the same store that is built without fenced fills, beside a Cache that is built for them.
	// Nil skips.
	OtherMode cacheaside.Cache[string, Document]

	// Plant holds, by kind, what puts an entry into the store that must read as unusable of that kind, over whatever is there. It lives as long
	// as any entry. A missing kind skips.
	Plant map[cacheaside.EntryKind]func(key string)
}

// NewSubject makes the subject of one assertion. It fails t where it cannot, and leaves what must be closed to t.Cleanup. Besides reporting,
// t is the test's own.
type NewSubject func(t testing.TB, opt Options) Subject
