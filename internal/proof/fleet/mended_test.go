package fleet_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/cacheaside/memory"
	"github.com/cacheaside/resilience/internal/redistest"
)

// TestAFillThatIsRefusedForItsGenerationHoldsNobodyBack lets another process invalidate the region while a load runs: the cache refuses what it brings
// without asking the fence, so that the grant under it is still live.
func TestAFillThatIsRefusedForItsGenerationHoldsNobodyBack(t *testing.T) {
	t.Parallel()
	policy := fleetPolicy()
	policy.HeldWait, policy.AdmissionWait = 5*time.Second, time.Hour // a grant outlives the test, and whoever is held is refused
	f := inMemory(t, 2, policy)
	ctx := context.Background()
	result, err := cacheaside.Get(ctx, f.regions[0], "key", func(context.Context, string) cacheaside.SourceOutcome[string] {
		if err := cacheaside.InvalidateRegion(ctx, f.regions[1]); err != nil {
			t.Error(err)
		}
		return cacheaside.Loaded("v1", "")
	})
	if err != nil || result.Record.Reason != cacheaside.RecordSuperseded {
		t.Fatalf("got %v %v %v, and its record should be superseded", result.Status, result.Record.Reason, err)
	}
	wantGet(t, f.regions[1], loadsText("v2"), cacheaside.StatusLoaded, "v2")
}

// ordered is a cache with ordered revisions.
type ordered interface {
	port
	cacheaside.Putter[string, string]
}

const shortLease = 5 * time.Millisecond

func fillOnce(t *testing.T, cache port, key, value string, revision cacheaside.Revision) {
	t.Helper()
	grant := cache.Acquire(context.Background(), key, cacheaside.RequestID{1}, "", shortLease)
	outcome := cache.Fill(
		context.Background(), key, grant.Fence, cacheaside.Entry[string]{Value: value, Revision: revision}, cacheaside.Condition{},
	)
	if outcome.Certainty != cacheaside.RecordApplied {
		t.Fatalf("filling is %v %v under a grant that is %v", outcome.Certainty, outcome.Reason, grant.Kind)
	}
}

func wantOlder(t *testing.T, cache ordered, key string, revision cacheaside.Revision) {
	t.Helper()
	outcome := cache.Put(context.Background(), key, cacheaside.Entry[string]{Value: "older", Revision: revision})
	if outcome.Reason != cacheaside.RecordOlderRevision {
		t.Errorf("putting revision %s is %v %v", revision, outcome.Certainty, outcome.Reason)
	}
}

func TestAnInvalidationRemembersTheRevisionOfAnEntryWhoseFenceRecordIsOver(t *testing.T) {
	t.Parallel()
	t.Run("memory", func(t *testing.T) {
		cache, err := memory.New(memory.Config[string, string]{
			TTL:        memory.TTL{Soft: time.Minute, Hard: time.Hour, Negative: time.Minute},
			MaxEntries: 100, Fenced: true, OrderedRevisions: true,
		})
		if err != nil {
			t.Fatal(err)
		}
		fillOnce(t, cache, "key", "v9", "9")
		<-time.After(8 * shortLease) // a record lives for four
		cache.Invalidate(context.Background(), "key")
		wantOlder(t, cache, "key", "8")
	})
	server := redistest.Start(t, redistest.Options{})
	cfg := redisConfig(true)
	cfg.OrderedRevisions = true
	cache := openCache(t, server, cfg)
	for by, able := range map[string]cacheaside.Invalidator[string]{"fleet": cache, "local": openCache(t, server, redisConfig(false))} {
		t.Run("redis, by a process in "+by+" mode", func(t *testing.T) {
			fillOnce(t, cache, by, "v9", "9")
			if err := server.Client().Del(context.Background(), nameOf(t, cfg, by, fenceRecord)).Err(); err != nil {
				t.Fatal(err)
			}
			able.Invalidate(context.Background(), by)
			wantOlder(t, cache, by, "8")
		})
	}
}

func TestAPutThatWasOvertakenReachesProcessesWithoutFencesAllTheSame(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Options{})
	cfg := redisConfig(true)
	cfg.OrderedRevisions = true
	cache, plain := openCache(t, server, cfg), openCache(t, server, redisConfig(false))
	plain.Record(context.Background(), "key", cacheaside.Entry[string]{Value: "v7", Revision: "7"}, cacheaside.Condition{})
	if found := plain.Lookup(context.Background(), "key"); found.Kind != cacheaside.LookupFresh {
		t.Fatalf("v7 is %v before anything was put", found.Kind)
	}
	fillOnce(t, cache, "key", "v9", "9")
	wantOlder(t, cache, "key", "8")
	if found := plain.Lookup(context.Background(), "key"); found.Miss != cacheaside.MissInvalidated {
		t.Errorf("v7 is %v %v after 8 was put", found.Kind, found.Miss)
	}
}

func TestAGenerationThatCannotBeIsReplacedByOneThatCan(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Options{})
	cfg := inGenerations(redisConfig(true))
	name := cfg.Namespace + ":" + cfg.Region + ":-:generation"
	ctx, admin := context.Background(), server.Client()
	for _, text := range []string{"", "odd", "-5", "7.5", "inf", "nan", "9007199254740991", "9007199254740992", strings.Repeat("9", 40)} {
		t.Run(text, func(t *testing.T) {
			if err := admin.Set(ctx, name, text, 0).Err(); err != nil {
				t.Fatal(err)
			}
			cache := openCache(t, server, cfg)
			if found := cache.Lookup(ctx, "key"); found.Kind != cacheaside.LookupMiss {
				t.Errorf("a lookup is %v: %v", found.Kind, found.Err)
			}
			if outcome := cache.InvalidateRegion(ctx); outcome.Certainty != cacheaside.RecordApplied {
				t.Errorf("invalidating the region is %v: %v", outcome.Certainty, outcome.Err)
			}
			if found := cache.Lookup(ctx, "key"); found.Kind != cacheaside.LookupMiss {
				t.Errorf("a lookup after that is %v: %v", found.Kind, found.Err)
			}
		})
	}
}

func TestARevisionThatIsTooLongIsRefusedOfAnAbsenceToo(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Options{})
	cfg := redisConfig(true)
	cache, ctx := openCache(t, server, cfg), context.Background()
	grant := cache.Acquire(ctx, "key", cacheaside.RequestID{1}, "", time.Minute)
	for length, want := range map[int]cacheaside.RecordReason{
		cacheaside.MaxRevisionBytes: 0, cacheaside.MaxRevisionBytes + 1: cacheaside.RecordEncodeFailed,
	} {
		absence := cacheaside.Entry[string]{Negative: true, Revision: cacheaside.Revision(strings.Repeat("r", length))}
		if outcome := cache.Fill(ctx, "key", grant.Fence, absence, cacheaside.Condition{}); outcome.Reason != want {
			t.Errorf("with a revision of %d bytes an absence is %v %v", length, outcome.Certainty, outcome.Reason)
		}
	}
}

func TestAProcessWithoutFencesReadsAndWritesNoEntryOfThoseWithThem(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Options{})
	fenced, plain := openCache(t, server, redisConfig(true)), openCache(t, server, redisConfig(false))
	ctx := context.Background()
	out := plain.Record(ctx, "key", cacheaside.Entry[string]{Value: "without"}, cacheaside.Condition{})
	if out.Certainty != cacheaside.RecordApplied {
		t.Fatalf("a record without fences is %v %v, want Applied", out.Certainty, out.Reason)
	}
	if found := fenced.Lookup(ctx, "key"); found.Kind != cacheaside.LookupMiss {
		t.Fatalf("a process with fences finds %v %q, which was recorded without any", found.Kind, found.Value)
	}
	fillOnce(t, fenced, "key", "with", "")
	if found := plain.Lookup(ctx, "key"); found.Value != "without" {
		t.Fatalf("a process without fences finds %v %q, want what it has recorded itself", found.Kind, found.Value)
	}
}
