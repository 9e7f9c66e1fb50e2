package cacheaside_test

import (
	"context"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

// course is one way for a flight to end, played on a region of its own.
type course struct {
	name   string
	change func(cfg *cacheaside.RegionConfig[string, string], cache *scripted)
	play   func(t *testing.T, r *stringRegion) outcome
	status cacheaside.Status
	reason cacheaside.Reason
	throws bool
	closed bool // the region ends closed, so that nothing can be loaded after it
}

func loads(load cacheaside.Loader[string, string]) func(*testing.T, *stringRegion) outcome {
	return func(_ *testing.T, r *stringRegion) outcome { return get(context.Background(), r, "key", load) }
}

func gives(out cacheaside.SourceOutcome[string]) func(*testing.T, *stringRegion) outcome {
	return loads(returning(out))
}

func finds(found cacheaside.Lookup[string]) func(*cacheaside.RegionConfig[string, string], *scripted) {
	return func(_ *cacheaside.RegionConfig[string, string], cache *scripted) { cache.lookup = always(found) }
}

// findsAgain changes what is found between a leader's two lookups; an invalidation is the reason for the second.
func findsAgain(found cacheaside.Lookup[string]) func(*cacheaside.RegionConfig[string, string], *scripted) {
	return looksAgain(func() cacheaside.Lookup[string] { return found })
}

func looksAgain(find func() cacheaside.Lookup[string]) func(*cacheaside.RegionConfig[string, string], *scripted) {
	return func(_ *cacheaside.RegionConfig[string, string], cache *scripted) {
		cache.lookup = func(context.Context, string) cacheaside.Lookup[string] {
			if cache.lookedUp() == 1 {
				<-time.After(time.Millisecond)
				return missing()
			}
			if cache.lookedUp() == 2 {
				return find()
			}
			return missing()
		}
	}
}

func invalidatedMeanwhile(t *testing.T, r *stringRegion) outcome {
	t.Helper()
	ended := goGet(context.Background(), r, "key", returning(cacheaside.Loaded("value", "")))
	synctest.Wait()
	if err := cacheaside.Invalidate(context.Background(), r, "key"); err != nil {
		t.Fatal(err)
	}
	return <-ended
}

func recordsBy(record func()) func(*cacheaside.RegionConfig[string, string], *scripted) {
	return func(_ *cacheaside.RegionConfig[string, string], cache *scripted) {
		cache.record = func(context.Context, string, cacheaside.Entry[string], cacheaside.Condition) cacheaside.RecordOutcome {
			record()
			return cacheaside.RecordOutcome{Certainty: cacheaside.RecordApplied}
		}
	}
}

// throwsForMarked is a LoadContext hook that throws for the calls of marked.
func throwsForMarked(throw func()) func(context.Context) context.Context {
	return func(ctx context.Context) context.Context {
		if ctx.Value(valueKey("mark")) != nil {
			throw()
		}
		return ctx
	}
}

func marked(t *testing.T, r *stringRegion) outcome {
	t.Helper()
	return markedFor(t, r, time.Hour)
}

func markedFor(t *testing.T, r *stringRegion, patience time.Duration) outcome {
	t.Helper()
	return get(context.WithValue(leavingAfter(t, patience), valueKey("mark"), 1), r, "key", mustNotLoad(t))
}

func courses() []course {
	value := gives(cacheaside.Loaded("value", ""))
	slow := func(d time.Duration) func(*testing.T, *stringRegion) outcome {
		return loads(after(d, cacheaside.Loaded("value", "")))
	}
	return []course{
		{name: "loaded", play: value, status: cacheaside.StatusLoaded},
		{name: "absent", play: gives(cacheaside.AuthoritativeAbsent[string]("gone", "")), status: cacheaside.StatusAbsent},
		{name: "transient", play: gives(cacheaside.TransientFailure[string]("down", nil)), status: cacheaside.StatusFailed},
		{name: "transient, remembered", change: func(cfg *cacheaside.RegionConfig[string, string], _ *scripted) {
			cfg.Policy.FailureBackoff = time.Second
		}, play: gives(cacheaside.TransientFailure[string]("down", nil)), status: cacheaside.StatusFailed},
		{name: "permanent", play: gives(cacheaside.PermanentFailure[string]("denied", nil)), status: cacheaside.StatusFailed},
		{name: "unclassified", play: gives(cacheaside.Unclassified[string](errDriver)), status: cacheaside.StatusFailed},
		{name: "cancelled by the loader", play: gives(cacheaside.Cancelled[string](nil)), status: cacheaside.StatusCancelled},
		{name: "no outcome", play: gives(cacheaside.SourceOutcome[string]{}), status: cacheaside.StatusFailed},
		{name: "panic", throws: true, play: loads(func(context.Context, string) cacheaside.SourceOutcome[string] { panic("boom") })},
		{name: "exit", status: cacheaside.StatusFailed, play: loads(func(context.Context, string) cacheaside.SourceOutcome[string] {
			runtime.Goexit()
			return cacheaside.Loaded("never", "")
		})},
		{name: "the hook of the values panics", throws: true, play: marked, change: func(cfg *cacheaside.RegionConfig[string, string], _ *scripted) {
			cfg.LoadContext = throwsForMarked(func() { panic("boom") })
		}},
		{name: "the cache exits in the second lookup", status: cacheaside.StatusFailed, play: invalidatedMeanwhile, change: looksAgain(func() cacheaside.Lookup[string] {
			runtime.Goexit()
			return missing()
		})},
		{name: "overdue, then back", play: slow(1500 * time.Millisecond), status: cacheaside.StatusRejected, reason: cacheaside.ReasonLoadDeadline},
		{name: "overdue, then back too late", play: slow(3 * time.Second), status: cacheaside.StatusRejected, reason: cacheaside.ReasonLoadDeadline},
		{name: "found fresh by the second lookup", change: findsAgain(fresh("value")), play: invalidatedMeanwhile, status: cacheaside.StatusFresh},
		{
			name: "found absent by the second lookup", play: invalidatedMeanwhile, status: cacheaside.StatusNegativeHit,
			change: findsAgain(cacheaside.Lookup[string]{Kind: cacheaside.LookupNegative}),
		},
		{
			name: "found unusable by the second lookup", play: invalidatedMeanwhile, status: cacheaside.StatusFailed,
			change: findsAgain(unusable(cacheaside.EntryCorrupt, "")),
		},
		{name: "unavailable at the second lookup", change: findsAgain(unavailable()), play: invalidatedMeanwhile, status: cacheaside.StatusLoaded},
		{name: "unavailable", change: finds(unavailable()), play: value, status: cacheaside.StatusLoaded},
		{name: "load only", change: func(cfg *cacheaside.RegionConfig[string, string], cache *scripted) {
			cfg.Policy.Corrupt, cache.lookup = cacheaside.LoadOnly, always(unusable(cacheaside.EntryCorrupt, ""))
		}, play: value, status: cacheaside.StatusLoaded},
		{name: "quarantined", change: func(cfg *cacheaside.RegionConfig[string, string], cache *scripted) {
			cfg.Policy.Incompatible, cache.lookup = cacheaside.QuarantineAndReload, always(unusable(cacheaside.EntryRetired, "seen"))
		}, play: value, status: cacheaside.StatusLoaded},
		{name: "a record that is slow", change: recordsBy(func() { <-time.After(time.Second) }), play: value, status: cacheaside.StatusLoaded},
		{name: "a record that panics", change: recordsBy(func() { panic("boom") }), play: value, status: cacheaside.StatusLoaded},
		{name: "a record that exits", change: recordsBy(runtime.Goexit), play: value, status: cacheaside.StatusLoaded},
		{name: "no patience for a record", change: func(cfg *cacheaside.RegionConfig[string, string], _ *scripted) {
			cfg.Policy.RecordWait = 0
		}, play: value, status: cacheaside.StatusLoaded},
		{name: "a refresh that nobody waits for", change: func(cfg *cacheaside.RegionConfig[string, string], cache *scripted) {
			cfg.Policy.ServeStale.RefreshWait, cache.lookup = cacheaside.DontWait, always(stale("old", time.Now().Add(time.Hour)))
		}, play: slow(time.Millisecond), status: cacheaside.StatusStale},
		{name: "a refresh that its caller stopped waiting for", change: func(cfg *cacheaside.RegionConfig[string, string], cache *scripted) {
			cfg.Policy.ServeStale.RefreshWait, cache.lookup = time.Millisecond, always(stale("old", time.Now().Add(time.Hour)))
		}, play: slow(time.Second - 1), status: cacheaside.StatusStale},
	}
}
