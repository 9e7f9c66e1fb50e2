package cacheaside

import (
	"context"
	"crypto/rand"
	"hash/maphash"
	"io"
	"reflect"
	"sync"
	"time"

	"github.com/benbjohnson/clock"
	"golang.org/x/sync/singleflight"

	"github.com/cacheaside/resilience/internal/bulkhead"
)

// RegionConfig configures a [Region]. The region copies it.
type RegionConfig[K comparable, V any] struct {
	// Name tells the region in errors and events: [A-Za-z0-9_.-]{1,64}.
	Name string

	// Cache is what the region reads and fills. Required.
	Cache Cache[K, V]

	// Policy bounds the region. Required; start from a preset.
	Policy Policy

	// Clock drives every wait and deadline of the region; nil means the real clock.
	Clock clock.Clock

	// Observer is told what happens; nil means none, and then no event is built.
	Observer Observer

	// KeyString gives the canonical, injective text of a key: equal keys give equal texts, different keys different ones, and no key an empty one.
	// nil takes the cache's own (interface{ KeyString(K) string }), or string and integer keys as they are.
	KeyString func(K) string

	// Clone gives each caller of a load its own copy; nil shares the value, which is then read-only. It is not called on hits. It runs in the
	// callers' goroutines, at once, on the same value.
	Clone func(V) V

	// AbsentErr is joined into every [AbsentError], fresh or cached, e.g. sql.ErrNoRows.
	AbsentErr error

	// LoadContext gives the values that a load may see, from its first caller's context; nil means all of them. Cancellation and deadline of what
	// it returns are dropped. It is called in the goroutine of every call on its way to the source, before it joins or starts a load.
	LoadContext func(caller context.Context) context.Context

	// Random names the requests for a fleet's grants and spreads their polls; nil means the system's randomness.
	Random io.Reader
}

// Region is one semantic kind of value under one policy. Make one with [NewRegion]; it is safe for concurrent use and starts no goroutine before
// its first load.
type Region[K comparable, V any] struct {
	name        string
	cache       Cache[K, V]
	invalidator Invalidator[K]    // nil where the cache has none
	generations RegionInvalidator // nil where the cache has none
	fencer      Fencer[K, V]      // nil under Local
	lease       time.Duration     // of a fleet's grant
	heldWait    time.Duration
	random      io.Reader
	policy      Policy
	clock       clock.Clock
	realClock   bool
	observer    Observer
	keyString   func(K) string
	emptyKey    func(K) bool // cheap enough for a hit
	clone       func(V) V
	absentErr   error
	loadContext func(context.Context) context.Context

	bulkhead *bulkhead.Bulkhead
	group    singleflight.Group
	endings  endings
	codes    codeSet
	counts   counts

	// mu guards all of state. It is held for bookkeeping only: never across a wait, a load, a call of the cache or a hook.
	mu    sync.Mutex
	state state[K, V]
}

// NewRegion makes a region, or returns every fault of cfg at once, each a [*FieldError], joined.
func NewRegion[K comparable, V any](cfg RegionConfig[K, V]) (*Region[K, V], error) {
	var faults faults
	if !validName(cfg.Name) {
		faults.add("Name", "", "must be [A-Za-z0-9_.-]{1,64}")
	}
	if isNilInterface(cfg.Cache) {
		faults.add("Cache", "nil", "is required")
	}
	if err := cfg.Policy.Validate(); err != nil {
		faults.list = append(faults.list, err)
	}
	fencer := fencerOf(cfg, &faults)
	keyString := keyStringOf(cfg)
	if keyString == nil {
		faults.add("KeyString", "nil", "is required for keys that are neither strings nor integers")
	}
	if err := faults.err(); err != nil {
		return nil, err
	}
	if cfg.Clock == nil {
		cfg.Clock = clock.New()
	}
	if cfg.Random == nil {
		cfg.Random = rand.Reader
	}
	region := &Region[K, V]{
		name: cfg.Name, cache: cfg.Cache, policy: cfg.Policy, clock: cfg.Clock, observer: cfg.Observer,
		realClock: reflect.TypeOf(cfg.Clock) == reflect.TypeOf(clock.New()),
		keyString: keyString, emptyKey: emptyKey[K](), clone: cfg.Clone, absentErr: cfg.AbsentErr, loadContext: cfg.LoadContext,
		bulkhead: bulkhead.New(cfg.Policy.SourceConcurrency, cfg.Clock),
		endings:  endings{seed: maphash.MakeSeed()},
		fencer:   fencer, generations: generationsOf(cfg.Cache), random: cfg.Random,
		state: newState[K, V](),
	}
	region.invalidator, _ = cfg.Cache.(Invalidator[K])
	region.lease = leaseOf(cfg.Policy, lifetimesOf(cfg.Cache))
	region.heldWait = heldWaitOf(cfg.Policy, region.lease)
	region.warnOfShortLives()
	return region, nil
}

// CanInvalidate tells whether the region's cache is an [Invalidator].
func (r *Region[K, V]) CanInvalidate() bool { return r != nil && r.invalidator != nil }

// Warnings of [EventWarning], as codes.
const (
	warningShortEntry     = "min_hard_too_short"
	warningShortTombstone = "tombstone_too_short"
)

// warnOfShortLives tells the observer where an entry or a tombstone could be gone before a load that began earlier has ended: then nothing would
// refuse that load's late fill, and an invalidation could be undone.
func (r *Region[K, V]) warnOfShortLives() {
	lives := lifetimesOf(r.cache)
	longest := lives.Lookup + r.policy.AdmissionWait + 2*r.policy.LoadDeadline + lives.Record
	if lives.MinHard > 0 && lives.MinHard <= longest {
		r.emit(Event{Kind: EventWarning, Code: warningShortEntry})
	}
	if r.invalidator != nil && lives.Tombstone > 0 && lives.Tombstone <= longest {
		r.emit(Event{Kind: EventWarning, Code: warningShortTombstone})
	}
}

func lifetimesOf[K comparable, V any](cache Cache[K, V]) (lives Lifetimes) {
	if reporter, ok := cache.(LifetimeReporter); ok {
		lives = reporter.Lifetimes()
	}
	return lives
}

// fencerOf takes the cache's fences under Fleet. A cache and a policy that differ are refused both ways: records without fences beside fenced ones
// would let old values in.
func fencerOf[K comparable, V any](cfg RegionConfig[K, V], faults *faults) Fencer[K, V] {
	if isNilInterface(cfg.Cache) {
		return nil
	}
	fencer, _ := cfg.Cache.(Fencer[K, V])
	fenced := fencer != nil && fencer.Fenced()
	switch {
	case cfg.Policy.Coordination == Fleet && fenced:
		return fencer
	case cfg.Policy.Coordination == Fleet:
		faults.add("Policy.Coordination", "Fleet", "needs a Cache that is built for fenced fills")
	case fenced:
		faults.add("Policy.Coordination", cfg.Policy.Coordination.String(), "must be Fleet, since Cache is built for fenced fills")
	}
	return nil
}

func validName(name string) bool {
	if name == "" || len(name) > maxCodeLength {
		return false
	}
	for i := range len(name) {
		c := name[i]
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_' && c != '.' && c != '-' {
			return false
		}
	}
	return true
}

// isNilInterface also sees a nil pointer in a non-nil interface, which would panic at the first read instead of here.
func isNilInterface(value any) bool {
	if value == nil {
		return true
	}
	seen := reflect.ValueOf(value)
	switch seen.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Func, reflect.Chan, reflect.Slice, reflect.Interface:
		return seen.IsNil()
	default:
		return false
	}
}
