package cacheaside_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

// lateRegion has a stale entry under every key, so that a record's condition can be told from the one of an absent key.
func lateRegion(t *testing.T) (*stringRegion, *scripted) {
	t.Helper()
	cache := &scripted{lookup: always(stale("old", time.Now().Add(time.Hour)))}
	return newRegion(t, cache, policy(func(p *cacheaside.Policy) { p.ServeStale = cacheaside.StaleRules{} })), cache
}

func TestALateResultIsRecordedIfItIsAtMostOneDeadlineLateAndCountsFromTheEndOfItsDeadline(t *testing.T) {
	loaded, absent := cacheaside.Loaded("late", "r9"), cacheaside.AuthoritativeAbsent[string]("gone", "r9")
	for _, row := range []struct {
		name     string
		late     time.Duration
		out      cacheaside.SourceOutcome[string]
		recorded bool
	}{
		{"1 ns late", 1, loaded, true},
		{"one deadline late", time.Second, loaded, true},
		{"one deadline and 1 ns late", time.Second + 1, loaded, false},
		{"an absence", time.Second, absent, true},
		{"an absence, too late", time.Second + 1, absent, false},
		{"a transient failure", 1, cacheaside.TransientFailure[string]("down", nil), false},
		{"a permanent failure", 1, cacheaside.PermanentFailure[string]("denied", nil), false},
		{"an unclassified failure", 1, cacheaside.Unclassified[string](errDriver), false},
		{"a cancelled load", 1, cacheaside.Cancelled[string](nil), false},
		{"no outcome", 1, cacheaside.SourceOutcome[string]{}, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r, cache := lateRegion(t)
				begun := time.Now()
				o := get(context.Background(), r, "key", after(time.Second+row.late, row.out))
				wantRejected(t, o, cacheaside.ReasonLoadDeadline)
				<-time.After(2 * time.Second)
				records := cache.records()
				if !row.recorded {
					if len(records) != 0 {
						t.Fatalf("records %+v", records)
					}
					wantAtRest(t, r, 16)
					return
				}
				if len(records) != 1 || records[0].condition.Observation != "seen" || records[0].entry.Revision != "r9" {
					t.Fatalf("records %+v", records)
				}
				if from := records[0].entry.LoadedAt.Sub(begun); from != time.Second {
					t.Fatalf("the expiries count from %v after the start, want the end of the deadline", from)
				}
				wantAtRest(t, r, 16)
			})
		})
	}
}

func TestAResultInTimeCountsFromItsRecord(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, cache := lateRegion(t)
		wantValue(t, get(context.Background(), r, "key", after(time.Second-1, cacheaside.Loaded("new", ""))), cacheaside.StatusLoaded, "new")
		if records := cache.records(); len(records) != 1 || !records[0].entry.LoadedAt.IsZero() {
			t.Fatalf("records %+v", records)
		}
		wantAtRest(t, r, 16)
	})
}

func TestALateResultIsDroppedAfterWhatHappenedSince(t *testing.T) {
	for _, row := range []struct {
		name     string
		meantime func(t *testing.T, r *stringRegion)
		records  int // those of the meantime
	}{
		{"an invalidation", func(t *testing.T, r *stringRegion) {
			t.Helper()
			if err := cacheaside.Invalidate(context.Background(), r, "key"); err != nil {
				t.Fatal(err)
			}
		}, 0},
		{"a newer record of the key", func(t *testing.T, r *stringRegion) {
			t.Helper()
			wantValue(t, get(context.Background(), r, "key", returning(cacheaside.Loaded("newer", ""))), cacheaside.StatusLoaded, "newer")
		}, 1},
		{"a newer recorded absence", func(t *testing.T, r *stringRegion) {
			t.Helper()
			get(context.Background(), r, "key", returning(cacheaside.AuthoritativeAbsent[string]("gone", "")))
		}, 1},
		{"a close", func(t *testing.T, r *stringRegion) {
			t.Helper()
			done, cancel := context.WithCancel(context.Background())
			cancel()
			if err := r.Close(done); err == nil {
				t.Fatal("closed with a load running")
			}
		}, 0},
	} {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r, cache := lateRegion(t)
				o := get(context.Background(), r, "key", after(1500*time.Millisecond, cacheaside.Loaded("late", "")))
				wantRejected(t, o, cacheaside.ReasonLoadDeadline)
				row.meantime(t, r)
				<-time.After(2 * time.Second)
				records := cache.records()
				if len(records) != row.records {
					t.Fatalf("records %+v", records)
				}
				for _, record := range records {
					if record.entry.Value == "late" {
						t.Fatalf("records %+v", records)
					}
				}
				wantEmpty(t, r)
			})
		})
	}
}

func TestALateResultIsRecordedAfterWhatDoesNotConcernItsKey(t *testing.T) {
	for _, row := range []struct {
		name     string
		meantime func(t *testing.T, r *stringRegion)
	}{
		{"an invalidation of another key", func(t *testing.T, r *stringRegion) {
			t.Helper()
			if err := cacheaside.Invalidate(context.Background(), r, "another"); err != nil {
				t.Fatal(err)
			}
		}},
		{"a newer failure of the key", func(t *testing.T, r *stringRegion) {
			t.Helper()
			get(context.Background(), r, "key", returning(cacheaside.PermanentFailure[string]("denied", nil)))
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r, cache := lateRegion(t)
				o := get(context.Background(), r, "key", after(1500*time.Millisecond, cacheaside.Loaded("late", "")))
				wantRejected(t, o, cacheaside.ReasonLoadDeadline)
				row.meantime(t, r)
				<-time.After(2 * time.Second)
				if records := cache.records(); len(records) != 1 || records[0].entry.Value != "late" {
					t.Fatalf("records %+v", records)
				}
				wantAtRest(t, r, 16)
			})
		})
	}
}
