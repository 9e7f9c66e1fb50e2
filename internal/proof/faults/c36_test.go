package faults_test

import (
	"context"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/internal/redistest"
	"github.com/cacheaside/resilience/redisadapter"
)

// deployed is how many entries a new release finds.
const deployed = 1000

// TestC36_AnotherPolicyRevisionLeavesEveryEntryAHitWithTheTimesItWasWrittenWith puts a release with another revision and shorter lifetimes beside
// the one that filled the cache.
func TestC36_AnotherPolicyRevisionLeavesEveryEntryAHitWithTheTimesItWasWrittenWith(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Options{})
	admin := server.Client()
	p := newPlace(t, admin, longLimit)
	ctx := context.Background()
	before := p.config
	before.TTL = redisadapter.TTLPolicy{Soft: time.Hour, Hard: 2 * time.Hour, Negative: time.Hour, JitterRatio: 0.1, Revision: 1}
	after := p.config
	after.TTL = redisadapter.TTLPolicy{Soft: 5 * time.Minute, Hard: 10 * time.Minute, Negative: time.Minute, JitterRatio: 0.1, Revision: 2}
	first, second := open(t, admin, before), open(t, admin, after)

	written := make([]cacheaside.RecordOutcome, deployed)
	for i := range written {
		written[i] = first.Record(ctx, strconv.Itoa(i), cacheaside.Entry[string]{Value: strconv.Itoa(i)}, cacheaside.Condition{})
	}
	for i, was := range written {
		found := second.Lookup(ctx, strconv.Itoa(i))
		if found.Kind != cacheaside.LookupFresh || found.Value != strconv.Itoa(i) {
			t.Fatalf("entry %d is %v under the second revision", i, found.Kind)
		}
		if !found.SoftExpiresAt.Equal(was.SoftExpiresAt) || !found.HardExpiresAt.Equal(was.HardExpiresAt) {
			t.Fatalf("entry %d: expires %v, %v; was written with %v, %v", i, found.SoftExpiresAt, found.HardExpiresAt, was.SoftExpiresAt, was.HardExpiresAt)
		}
	}

	seen := server.Monitor()
	calls := readAll(t, newRegion(t, second), new(atomic.Int64))
	if lookups, writes := seen.Count("GETRANGE"), seen.Count("SET")+seen.Count("EVALSHA"); calls != 0 || lookups != deployed || writes != 0 {
		t.Errorf("%d loads, %d lookups, %d writes", calls, lookups, writes)
	}
	if size := admin.DBSize(ctx).Val(); size != deployed {
		t.Errorf("%d keys: the two do not agree on the names", size)
	}
	wantNewLifetimes(t, second, after.TTL)
}

// wantNewLifetimes writes new entries under the new revision.
func wantNewLifetimes(t *testing.T, on *cache, ttl redisadapter.TTLPolicy) {
	t.Helper()
	for i := range 50 {
		begun := time.Now()
		out := on.Record(context.Background(), "new "+strconv.Itoa(i), cacheaside.Entry[string]{Value: "v"}, cacheaside.Condition{})
		least := time.Duration(float64(ttl.Hard) * (1 - ttl.JitterRatio))
		most := time.Duration(float64(ttl.Hard) * (1 + ttl.JitterRatio))
		if life := out.HardExpiresAt.Sub(begun); out.Certainty != cacheaside.RecordApplied || life < least-slack || life > most+slack {
			t.Errorf("a new entry: %v, lives %v, want %v to %v", out.Certainty, life, least, most)
		}
	}
}

// TestC36_AnotherRevisionAloneJittersNewEntriesAnewAndTouchesNoOldOne changes nothing but the number.
func TestC36_AnotherRevisionAloneJittersNewEntriesAnewAndTouchesNoOldOne(t *testing.T) {
	t.Parallel()
	admin := redistest.Start(t, redistest.Options{}).Client()
	p := newPlace(t, admin, longLimit)
	lives := make([][]time.Duration, 3) // of revisions 1, 2 and 2 again
	for i, revision := range []uint32{1, 2, 2} {
		cfg := p.config
		cfg.TTL = redisadapter.TTLPolicy{Soft: time.Hour, Hard: 100 * time.Hour, Negative: time.Hour, JitterRatio: 0.5, Revision: revision}
		on := open(t, admin, cfg)
		admin.FlushDB(context.Background())
		for k := range 100 {
			begun := time.Now()
			out := on.Record(context.Background(), strconv.Itoa(k), cacheaside.Entry[string]{Value: "v"}, cacheaside.Condition{})
			lives[i] = append(lives[i], out.HardExpiresAt.Sub(begun))
		}
	}
	moved := 0
	for k := range lives[0] {
		if d := lives[0][k] - lives[1][k]; d.Abs() > time.Minute {
			moved++
		}
		if d := lives[1][k] - lives[2][k]; d.Abs() > time.Minute {
			t.Errorf("key %d lives %v and %v under the same revision", k, lives[1][k], lives[2][k])
		}
	}
	if moved < 90 {
		t.Errorf("%d of 100 keys have another life under another revision", moved)
	}
}

// TestC36_AnotherFormatIsLoadedAnewOnceForEachKeyAndNeverAllAtOnce puts a release beside the old one whose values mean something else, and lets all
// of its users come at the same time.
func TestC36_AnotherFormatIsLoadedAnewOnceForEachKeyAndNeverAllAtOnce(t *testing.T) {
	t.Parallel()
	admin := redistest.Start(t, redistest.Options{}).Client()
	p := newPlace(t, admin, longLimit)
	p.config.TTL = redisadapter.TTLPolicy{Soft: time.Hour, Hard: time.Hour, Negative: time.Hour}
	first := open(t, admin, p.config)
	for i := range deployed {
		first.Record(context.Background(), strconv.Itoa(i), cacheaside.Entry[string]{Value: "old"}, cacheaside.Condition{})
	}
	next := p.config
	next.PayloadSchema++
	const permits = 4
	r := newRegion(t, open(t, admin, next), func(cfg *cacheaside.RegionConfig[string, string]) {
		cfg.Policy.SourceConcurrency, cfg.Policy.Incompatible = permits, cacheaside.QuarantineAndReload
	})
	var peak atomic.Int64
	if calls := readAll(t, r, &peak); calls != deployed || peak.Load() > permits {
		t.Errorf("%d loads for %d entries, %d at once", calls, deployed, peak.Load())
	}
	if calls := readAll(t, r, &peak); calls != 0 {
		t.Errorf("%d loads the second time", calls)
	}
}

// readAll reads every entry, several callers at a time, and returns how often the source was called; peak gets the most calls at once.
func readAll(t *testing.T, r *region, peak *atomic.Int64) int64 {
	t.Helper()
	var calls, running atomic.Int64
	load := func(_ context.Context, key string) cacheaside.SourceOutcome[string] {
		calls.Add(1)
		now := running.Add(1)
		defer running.Add(-1)
		for most := peak.Load(); now > most && !peak.CompareAndSwap(most, now); most = peak.Load() {
		}
		runtime.Gosched() // for another one, if another one may
		return cacheaside.Loaded(key, "")
	}
	const readers = 16
	var all sync.WaitGroup
	for from := range readers {
		all.Go(func() {
			for i := from; i < deployed; i += readers {
				if result, err := cacheaside.Get(context.Background(), r, strconv.Itoa(i), load); err != nil || result.Value != strconv.Itoa(i) {
					t.Errorf("entry %d: %v %q, %v", i, result.Status, result.Value, err)
				}
			}
		})
	}
	all.Wait()
	return calls.Load()
}
