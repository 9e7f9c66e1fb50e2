package cacheaside_test

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

func TestFreshAndNegativeHitsCallNeitherSourceNorRecordNorStartAGoroutine(t *testing.T) {
	cache := &scripted{}
	region := newRegion(t, cache, func(cfg *cacheaside.RegionConfig[string, string]) { cfg.AbsentErr = errNoRow })
	cache.lookup = always(fresh("value"))
	before := runtime.NumGoroutine()
	for range 1000 {
		wantValue(t, get(context.Background(), region, "key", mustNotLoad(t)), cacheaside.StatusFresh, "value")
	}
	cache.lookup = always(cacheaside.Lookup[string]{Kind: cacheaside.LookupNegative, Observation: "negative"})
	for range 1000 {
		o := get(context.Background(), region, "key", mustNotLoad(t))
		var absent *cacheaside.AbsentError
		if o.result.Status != cacheaside.StatusNegativeHit || !errors.As(o.err, &absent) || !absent.Cached || absent.Reason != "" ||
			!errors.Is(o.err, cacheaside.ErrAbsent) || !errors.Is(o.err, errNoRow) {
			t.Fatalf("got %v, %v", o.result.Status, o.err)
		}
	}
	if now := runtime.NumGoroutine(); now > before {
		t.Fatalf("%d goroutines before, %d after", before, now)
	}
	if len(cache.records()) != 0 || cache.lookedUp() != 2000 {
		t.Fatalf("%d records, %d lookups for 2000 hits", len(cache.records()), cache.lookedUp())
	}
}

func TestAGoodLoadIsRecordedUnderTheConditionThatItsLookupJustified(t *testing.T) {
	t.Parallel()
	hard := time.Now().Add(time.Hour)
	expired := cacheaside.Lookup[string]{Kind: cacheaside.LookupMiss, Miss: cacheaside.MissExpired, Observation: "expired"}
	tombstone := cacheaside.Lookup[string]{Kind: cacheaside.LookupMiss, Miss: cacheaside.MissInvalidated, Observation: "tombstone"}
	for _, row := range []struct {
		name    string
		found   cacheaside.Lookup[string]
		records int
		under   cacheaside.Observation
	}{
		{"absent", missing(), 1, ""},
		{"unavailable", unavailable(), 1, ""},
		{"stale", stale("old", hard), 1, "seen"},
		{"expired", expired, 1, "expired"},
		{"invalidated", tombstone, 1, "tombstone"},
		{"retired, quarantined", unusable(cacheaside.EntryRetired, "retired"), 1, "retired"},
		{"payload, quarantined", unusable(cacheaside.EntryPayload, "payload"), 1, "payload"},
		{"future, load only", unusable(cacheaside.EntryFuture, "future"), 0, ""},
		{"corrupt, load only", unusable(cacheaside.EntryCorrupt, ""), 0, ""},
		{"oversize, load only", unusable(cacheaside.EntryOversize, ""), 0, ""},
		{"foreign, load only", unusable(cacheaside.EntryForeign, ""), 0, ""},
	} {
		for name, load := range map[string]cacheaside.Loader[string, string]{
			"value":   returning(cacheaside.Loaded("new", "r2")),
			"absence": returning(cacheaside.AuthoritativeAbsent[string]("gone", "r2")),
		} {
			t.Run(row.name+", "+name, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					cache := &scripted{lookup: always(row.found)}
					region := newRegion(t, cache, func(cfg *cacheaside.RegionConfig[string, string]) {
						cfg.Policy = cacheaside.SurvivePolicy()
						cfg.Policy.ServeStale.RefreshWait = 0
					})
					o := get(context.Background(), region, "key", load)
					synctest.Wait()
					if name == "value" {
						wantValue(t, o, cacheaside.StatusLoaded, "new")
					} else if o.result.Status != cacheaside.StatusAbsent {
						t.Fatalf("got %v, %v", o.result.Status, o.err)
					}
					records := cache.records()
					if len(records) != row.records {
						t.Fatalf("%d records", len(records))
					}
					if row.records == 1 && (records[0].condition.Observation != row.under || records[0].entry.Negative != (name == "absence") ||
						records[0].entry.Revision != "r2" || !records[0].entry.LoadedAt.IsZero()) {
						t.Fatalf("recorded %+v", records[0])
					}
				})
			})
		}
	}
}

func TestUnusableEntriesFailFastWithoutTheSourceAndWithoutAWrite(t *testing.T) {
	t.Parallel()
	for kind, sentinel := range map[cacheaside.EntryKind]error{
		cacheaside.EntryRetired: cacheaside.ErrIncompatibleSchema, cacheaside.EntryPayload: cacheaside.ErrIncompatibleSchema,
		cacheaside.EntryFuture: cacheaside.ErrIncompatibleSchema, cacheaside.EntryCorrupt: cacheaside.ErrCorruptEntry,
		cacheaside.EntryOversize: cacheaside.ErrCorruptEntry, cacheaside.EntryForeign: cacheaside.ErrCorruptEntry,
	} {
		cache := &scripted{lookup: always(unusable(kind, "observed"))}
		o := get(context.Background(), newRegion(t, cache), "key", mustNotLoad(t))
		var unusable *cacheaside.EntryError
		if !errors.As(o.err, &unusable) || unusable.Kind != kind || !errors.Is(o.err, sentinel) || o.result.Status != cacheaside.StatusFailed {
			t.Errorf("%v: got %v, %v", kind, o.result.Status, o.err)
		}
		if len(cache.records()) != 0 {
			t.Errorf("%v: the entry was overwritten", kind)
		}
	}
}

func TestC53_OnlyAuthoritativeAbsenceIsRecordedAsNegative(t *testing.T) {
	t.Parallel()
	for name, load := range map[string]cacheaside.Loader[string, string]{
		"transient":          returning(cacheaside.TransientFailure[string]("down", errDown)),
		"permanent":          returning(cacheaside.PermanentFailure[string]("denied", errDown)),
		"cancelled":          returning(cacheaside.Cancelled[string](context.Canceled)),
		"plain error":        returning(cacheaside.Unclassified[string](errDown)),
		"deadline":           returning(cacheaside.Unclassified[string](context.DeadlineExceeded)),
		"absent look-alike":  returning(cacheaside.Unclassified[string](errNoRow)),
		"no outcome":         returning(cacheaside.SourceOutcome[string]{}),
		"unclassified nil":   returning(cacheaside.Unclassified[string](nil)),
		"panic":              func(context.Context, string) cacheaside.SourceOutcome[string] { panic("boom") },
		"exit":               func(context.Context, string) cacheaside.SourceOutcome[string] { runtime.Goexit(); panic("not reached") },
		"two rules match":    cacheaside.Classify(func(context.Context, string) (string, error) { return "", errors.Join(errNoRow, errDenied) }, rules()),
		"mark contradiction": returning(cacheaside.Unclassified[string](errors.Join(cacheaside.MarkAbsent(errDown, "a"), cacheaside.MarkPermanent(errDown, "b")))),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cache := &scripted{}
			region := newRegion(t, cache)
			o := get(context.Background(), region, "key", load)
			if o.err == nil && o.panicked == nil || o.result.Value != "" {
				t.Fatalf("got %+v", o.result)
			}
			if records := cache.records(); len(records) != 0 {
				t.Fatalf("recorded %+v", records)
			}
			wantValue(t, get(context.Background(), region, "key", returning(cacheaside.Loaded("value", ""))), cacheaside.StatusLoaded, "value")
		})
	}
}

func TestAValueInHandIsReturnedWhateverBecameOfItsRecord(t *testing.T) {
	t.Parallel()
	for _, record := range []cacheaside.RecordOutcome{
		{Certainty: cacheaside.RecordNotApplied, Reason: cacheaside.RecordConditionFailed},
		{Certainty: cacheaside.RecordNotApplied, Reason: cacheaside.RecordTooLarge},
		{Certainty: cacheaside.RecordNotApplied, Reason: cacheaside.RecordEncodeFailed},
		{Certainty: cacheaside.RecordNotApplied, Reason: cacheaside.RecordStoreRefused},
		{Certainty: cacheaside.RecordIndeterminate, Err: context.Canceled},
	} {
		cache := &scripted{record: func(context.Context, string, cacheaside.Entry[string], cacheaside.Condition) cacheaside.RecordOutcome {
			return record
		}}
		o := get(context.Background(), newRegion(t, cache), "key", returning(cacheaside.Loaded("value", "")))
		wantValue(t, o, cacheaside.StatusLoaded, "value")
		if o.result.Record != record {
			t.Errorf("record %+v, want %+v", o.result.Record, record)
		}
	}
}

func TestARecordThatOutlivesTheRecordWaitIsPendingAndGoesOn(t *testing.T) {
	for name, wait := range map[string]time.Duration{"250 ms": 250 * time.Millisecond, "not at all": 0} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				cache := &scripted{}
				cache.record = func(context.Context, string, cacheaside.Entry[string], cacheaside.Condition) cacheaside.RecordOutcome {
					<-time.After(time.Minute)
					return cacheaside.RecordOutcome{Certainty: cacheaside.RecordApplied}
				}
				region := newRegion(t, cache, policy(func(p *cacheaside.Policy) { p.RecordWait = wait }))
				o := get(context.Background(), region, "key", returning(cacheaside.Loaded("value", "")))
				wantValue(t, o, cacheaside.StatusLoaded, "value")
				if o.result.Record.Certainty != cacheaside.RecordIndeterminate || o.result.Record.Reason != cacheaside.RecordPending || o.took != wait {
					t.Fatalf("got %+v after %v", o.result.Record, o.took)
				}
				synctest.Wait()
				if stats := region.Stats(); stats.InFlightKeys != 0 || stats.RunningLoads != 0 || stats.RunningRecords != 1 {
					t.Fatalf("while the record goes on: %+v", stats)
				}
				<-time.After(time.Minute)
				wantAtRest(t, region, 16)
			})
		})
	}
}

func TestC37_AfterAnUnavailableLookupCallersAreReleasedBeforeTheRecord(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		recording := make(chan struct{})
		cache := &scripted{lookup: always(unavailable())}
		cache.record = func(context.Context, string, cacheaside.Entry[string], cacheaside.Condition) cacheaside.RecordOutcome {
			close(recording)
			<-time.After(time.Minute)
			return cacheaside.RecordOutcome{Certainty: cacheaside.RecordNotApplied, Reason: cacheaside.RecordNeverSent}
		}
		region := newRegion(t, cache)
		o := get(context.Background(), region, "key", after(5*time.Millisecond, cacheaside.Loaded("value", "")))
		wantValue(t, o, cacheaside.StatusLoaded, "value")
		if o.took != 5*time.Millisecond || o.result.Record.Certainty != cacheaside.RecordNone {
			t.Fatalf("released after %v with %+v", o.took, o.result.Record)
		}
		<-recording
		begun := time.Now()
		if err := region.Close(context.Background()); err != nil || time.Since(begun) != time.Minute {
			t.Fatalf("Close waited %v for the record: %v", time.Since(begun), err)
		}
	})
}

func TestACacheThatPanicsIsAnUnavailableCache(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache := &scripted{
			lookup: func(context.Context, string) cacheaside.Lookup[string] { panic("lookup") },
			record: func(context.Context, string, cacheaside.Entry[string], cacheaside.Condition) cacheaside.RecordOutcome {
				panic("record")
			},
			invalidate: func(context.Context, string) cacheaside.RecordOutcome { panic("invalidate") },
		}
		region := newRegion(t, cache)
		wantValue(t, get(context.Background(), region, "key", returning(cacheaside.Loaded("value", ""))), cacheaside.StatusLoaded, "value")
		synctest.Wait()
		cache.lookup = nil
		o := get(context.Background(), region, "key", returning(cacheaside.Loaded("value", "")))
		wantValue(t, o, cacheaside.StatusLoaded, "value")
		if o.result.Record.Certainty != cacheaside.RecordIndeterminate || !errors.Is(o.result.Record.Err, cacheaside.ErrCachePanicked) {
			t.Fatalf("got %+v", o.result.Record)
		}
		var failed *cacheaside.InvalidateError
		if err := cacheaside.Invalidate(context.Background(), region, "key"); !errors.As(err, &failed) || failed.Certainty != cacheaside.RecordIndeterminate {
			t.Fatalf("got %v", err)
		}
		wantAtRest(t, region, 16)
	})
}

func TestACacheThatExitsTheGoroutineLeavesNobodyWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache := &scripted{record: func(context.Context, string, cacheaside.Entry[string], cacheaside.Condition) cacheaside.RecordOutcome {
			runtime.Goexit()
			panic("not reached")
		}}
		region := newRegion(t, cache)
		o := get(context.Background(), region, "key", returning(cacheaside.Loaded("value", "")))
		wantValue(t, o, cacheaside.StatusLoaded, "value")
		if o.result.Record.Reason != cacheaside.RecordPending {
			t.Fatalf("got %+v", o.result.Record)
		}
		cache.record = nil
		wantAtRest(t, region, 16)
	})
}
