package cacheaside_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/cacheaside/resilience/cacheaside"
)

var errDown = errors.New("source down")

// staleRegion is a region on a mock clock whose cache always has a stale value that expires hard a minute from now.
func staleRegion(t *testing.T, change ...func(*cacheaside.RegionConfig[string, string])) (*cacheaside.Region[string, string], *scripted, *clock.Mock, time.Time) {
	t.Helper()
	mock := clock.NewMock()
	mock.Set(time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC))
	hard := mock.Now().Add(time.Minute)
	cache := &scripted{lookup: always(stale("old", hard))}
	change = append([]func(*cacheaside.RegionConfig[string, string]){
		func(cfg *cacheaside.RegionConfig[string, string]) { cfg.Clock = mock },
	}, change...)
	return newRegion(t, cache, change...), cache, mock, hard
}

func TestByDefaultOnlyAClassifiedTransientFailureIsAnsweredStale(t *testing.T) {
	t.Parallel()
	plain := errors.New("plain")
	for _, row := range []struct {
		name  string
		load  cacheaside.Loader[string, string]
		stale bool
	}{
		{"transient", returning(cacheaside.TransientFailure[string]("down", errDown)), true},
		{"permanent", returning(cacheaside.PermanentFailure[string]("denied", errDown)), false},
		{"unclassified", returning(cacheaside.Unclassified[string](plain)), false},
		{"a wrapped transient look-alike", returning(cacheaside.Unclassified[string](fmt.Errorf("w: %w", &cacheaside.SourceError{Transient: true}))), false},
		{"cancelled", returning(cacheaside.Cancelled[string](context.Canceled)), false},
		{"no outcome", returning(cacheaside.SourceOutcome[string]{}), false},
		{"absent", returning(cacheaside.AuthoritativeAbsent[string]("gone", "")), false},
		{"panic", func(context.Context, string) cacheaside.SourceOutcome[string] { panic("boom") }, false},
		{"transient and permanent joined", cacheaside.Classify(func(context.Context, string) (string, error) {
			return "", errors.Join(cacheaside.MarkTransient(plain, "a"), cacheaside.MarkPermanent(plain, "b"))
		}, cacheaside.Rules[string]{}), false},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			region, _, _, _ := staleRegion(t)
			o := get(context.Background(), region, "key", row.load)
			if !row.stale {
				if o.result.Status == cacheaside.StatusStale || o.result.Value != "" {
					t.Fatalf("answered %v %q", o.result.Status, o.result.Value)
				}
				return
			}
			wantStale(t, o, "old")
			var cause *cacheaside.SourceError
			if !errors.As(o.result.Cause, &cause) || !errors.Is(cause, errDown) || o.result.Revision != "r1" || o.result.HardExpiresAt.IsZero() {
				t.Fatalf("a stale answer %+v", o.result)
			}
		})
	}
}

func TestStaleIsNotServedForATransientFailureThePolicyDoesNotName(t *testing.T) {
	t.Parallel()
	region, _, _, _ := staleRegion(t, policy(func(p *cacheaside.Policy) { p.ServeStale.OnTransient = false }))
	o := get(context.Background(), region, "key", returning(cacheaside.TransientFailure[string]("down", errDown)))
	var failure *cacheaside.SourceError
	if !errors.As(o.err, &failure) || !failure.Transient || o.result.Status != cacheaside.StatusFailed || o.result.Value != "" {
		t.Fatalf("got %+v, %v", o.result, o.err)
	}
}

func TestStaleEndsAtTheHardExpiryToTheMillisecondHoweverLongTheLoadTook(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name  string
		left  time.Duration // from the answer to the hard expiry
		stale bool
	}{
		{"a millisecond before", time.Millisecond, true},
		{"a nanosecond before", 1, true},
		{"at the hard expiry", 0, false},
		{"a millisecond after", -time.Millisecond, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			region, _, mock, hard := staleRegion(t, policy(func(p *cacheaside.Policy) { p.LoadDeadline = time.Hour }))
			o := get(context.Background(), region, "key", func(context.Context, string) cacheaside.SourceOutcome[string] {
				mock.Set(hard.Add(-row.left)) // the load takes that long
				return cacheaside.TransientFailure[string]("down", errDown)
			})
			if row.stale {
				wantStale(t, o, "old")
				return
			}
			var failure *cacheaside.SourceError
			if !errors.As(o.err, &failure) || o.result.Value != "" || o.result.Status != cacheaside.StatusFailed {
				t.Fatalf("got %+v, %v", o.result, o.err)
			}
		})
	}
}

func TestAStaleValueWithoutAHardExpiryIsNeverAnswered(t *testing.T) {
	t.Parallel()
	region := newRegion(t, &scripted{lookup: always(cacheaside.Lookup[string]{Kind: cacheaside.LookupStale, Value: "old"})})
	o := get(context.Background(), region, "key", returning(cacheaside.TransientFailure[string]("down", errDown)))
	if o.result.Status != cacheaside.StatusFailed || o.result.Value != "" {
		t.Fatalf("got %+v", o.result)
	}
}

func TestAStaleValueBelongsToTheCallerWhoLookedItUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		looked := 0
		hard := time.Now().Add(time.Hour)
		cache := &scripted{}
		cache.lookup = func(context.Context, string) cacheaside.Lookup[string] {
			if looked++; looked == 1 {
				return stale("old", hard)
			}
			return missing()
		}
		region := newRegion(t, cache)
		source := newGate(cacheaside.TransientFailure[string]("down", errDown))
		first := goGet(context.Background(), region, "key", source.load)
		synctest.Wait()
		second := goGet(context.Background(), region, "key", source.load)
		synctest.Wait()
		close(source.open)
		wantStale(t, <-first, "old")
		if o := <-second; o.result.Status != cacheaside.StatusFailed || o.result.Value != "" {
			t.Fatalf("the other caller got %+v", o.result)
		}
		if calls, _ := source.counts(); calls != 1 {
			t.Fatalf("%d loads", calls)
		}
	})
}

func TestTheRefreshWaitAnswersStaleWhileTheRefreshGoesOnAndIsRecorded(t *testing.T) {
	for name, wait := range map[string]time.Duration{"200 ms": 200 * time.Millisecond, "not at all": cacheaside.DontWait} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				cache := &scripted{lookup: always(stale("old", time.Now().Add(time.Hour)))}
				region := newRegion(t, cache, policy(func(p *cacheaside.Policy) {
					p.ServeStale.RefreshWait, p.CancelAbandoned = wait, true
				}))
				source := newGate(cacheaside.Loaded("new", "r2"))
				for range 3 {
					o := get(context.Background(), region, "key", source.load)
					wantStale(t, o, "old")
					var cause *cacheaside.RejectedError
					if !errors.As(o.result.Cause, &cause) || cause.Reason != cacheaside.ReasonRefreshPending || o.took != max(wait, 0) {
						t.Fatalf("cause %v after %v", o.result.Cause, o.took)
					}
				}
				if stats := region.Stats(); stats.Waiters != 0 || stats.InFlightKeys != 1 || stats.ByReason[cacheaside.ReasonRefreshPending] != 3 {
					t.Fatalf("while refreshing: %+v", stats)
				}
				close(source.open)
				synctest.Wait()
				if calls, _ := source.counts(); calls != 1 {
					t.Fatalf("%d loads", calls)
				}
				records := cache.records()
				if len(records) != 1 || records[0].entry.Value != "new" || records[0].condition.Observation != "seen" {
					t.Fatalf("recorded %+v", records)
				}
			})
		})
	}
}

func TestARefreshThatEndsWithinTheRefreshWaitIsTheAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		region := newRegion(t, &scripted{lookup: always(stale("old", time.Now().Add(time.Hour)))},
			policy(func(p *cacheaside.Policy) { p.ServeStale.RefreshWait = 200 * time.Millisecond }))
		o := get(context.Background(), region, "key", after(199*time.Millisecond, cacheaside.Loaded("new", "")))
		wantValue(t, o, cacheaside.StatusLoaded, "new")
	})
}

func TestAValueThatExpiresDuringTheRefreshWaitIsWaitedOutLikeAMiss(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hard := time.Now().Add(100 * time.Millisecond)
		region := newRegion(t, &scripted{lookup: always(stale("old", hard))},
			policy(func(p *cacheaside.Policy) { p.ServeStale.RefreshWait = 200 * time.Millisecond }))
		o := get(context.Background(), region, "key", after(300*time.Millisecond, cacheaside.Loaded("new", "")))
		wantValue(t, o, cacheaside.StatusLoaded, "new")
	})
}

func TestDontWaitWithAnExpiredValueWaitsForTheLoad(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		region := newRegion(t, &scripted{lookup: always(stale("old", time.Now()))},
			policy(func(p *cacheaside.Policy) { p.ServeStale.RefreshWait = cacheaside.DontWait }))
		wantValue(t, get(context.Background(), region, "key", after(time.Millisecond, cacheaside.Loaded("new", ""))), cacheaside.StatusLoaded, "new")
	})
}

// bounded makes a region whose every bound can be met by one more call, with the stale rules of the test.
func bounded(t *testing.T, rules cacheaside.StaleRules) (*cacheaside.Region[string, string], *scripted) {
	t.Helper()
	cache := &scripted{}
	hard := time.Now().Add(time.Hour)
	cache.lookup = func(_ context.Context, key string) cacheaside.Lookup[string] {
		if key == "busy" {
			return missing()
		}
		return stale("old", hard)
	}
	return newRegion(t, cache, policy(func(p *cacheaside.Policy) {
		p.MaxInFlightKeys, p.MaxWaitersPerKey, p.SourceConcurrency, p.MaxOverduePerKey = 2, 0, 1, 1
		p.ServeStale = rules
	})), cache
}

func TestC47_EachStaleRuleOptsInToItsOwnBoundsAndNoOther(t *testing.T) {
	t.Parallel()
	none := cacheaside.StaleRules{OnTransient: true}
	rejected := cacheaside.StaleRules{OnRejected: true}
	deadline := cacheaside.StaleRules{OnDeadline: true}
	for _, row := range []struct {
		name   string
		rules  cacheaside.StaleRules
		reason cacheaside.Reason
		stale  bool
	}{
		{"admission, by default", none, cacheaside.ReasonAdmissionTimeout, false},
		{"admission, on deadline", deadline, cacheaside.ReasonAdmissionTimeout, false},
		{"admission, on rejected", rejected, cacheaside.ReasonAdmissionTimeout, true},
		{"deadline, by default", none, cacheaside.ReasonLoadDeadline, false},
		{"deadline, on rejected", rejected, cacheaside.ReasonLoadDeadline, false},
		{"deadline, on deadline", deadline, cacheaside.ReasonLoadDeadline, true},
		{"overdue, by default", none, cacheaside.ReasonOverdue, false},
		{"overdue, on rejected", rejected, cacheaside.ReasonOverdue, false},
		{"overdue, on deadline", deadline, cacheaside.ReasonOverdue, true},
		{"keys full, by default", none, cacheaside.ReasonKeysFull, false},
		{"keys full, on rejected", rejected, cacheaside.ReasonKeysFull, true},
		{"waiters full, by default", none, cacheaside.ReasonWaitersFull, false},
		{"waiters full, on rejected", rejected, cacheaside.ReasonWaitersFull, true},
		{"closed, by default", none, cacheaside.ReasonClosed, false},
		{"closed, on rejected", rejected, cacheaside.ReasonClosed, true},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				region, _ := bounded(t, row.rules)
				o := meet(t, region, row.reason)
				if !row.stale {
					wantRejected(t, o, row.reason)
					return
				}
				wantStale(t, o, "old")
				var cause *cacheaside.RejectedError
				if !errors.As(o.result.Cause, &cause) || cause.Reason != row.reason {
					t.Fatalf("cause %v", o.result.Cause)
				}
			})
		})
	}
}

// meet brings the region to the bound and gives the outcome of the call that meets it.
func meet(t *testing.T, region *cacheaside.Region[string, string], reason cacheaside.Reason) outcome {
	t.Helper()
	ctx := context.Background()
	held := newGate(cacheaside.Loaded("held", ""))
	held.ignoresContext = true
	t.Cleanup(func() { close(held.open) })
	switch reason {
	case cacheaside.ReasonAdmissionTimeout:
		goGet(ctx, region, "busy", held.load)
		synctest.Wait()
		return get(ctx, region, "key", mustNotLoad(t))
	case cacheaside.ReasonLoadDeadline:
		return get(ctx, region, "key", held.load)
	case cacheaside.ReasonOverdue:
		get(ctx, region, "key", held.load)
		return get(ctx, region, "key", mustNotLoad(t))
	case cacheaside.ReasonKeysFull:
		goGet(ctx, region, "busy", held.load)
		goGet(ctx, region, "other", held.load)
		synctest.Wait()
		return get(ctx, region, "key", mustNotLoad(t))
	case cacheaside.ReasonWaitersFull:
		goGet(ctx, region, "key", held.load)
		synctest.Wait()
		return get(ctx, region, "key", mustNotLoad(t))
	case cacheaside.ReasonClosed:
		if err := region.Close(ctx); err != nil {
			t.Fatal(err)
		}
		return get(ctx, region, "key", mustNotLoad(t))
	default:
		t.Fatalf("no way to meet %v", reason)
		return outcome{}
	}
}
