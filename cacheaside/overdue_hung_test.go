package cacheaside_test

import (
	"context"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

// hungGate is a loader that never returns before the test opens it, whatever its context says.
func hungGate() *gate {
	g := newGate(cacheaside.PermanentFailure[string]("hung", nil))
	g.ignoresContext = true
	return g
}

// tally counts how often something went well.
type tally struct{ well, all int }

func (c *tally) add(well bool) {
	c.all++
	if well {
		c.well++
	}
}

func TestAKeyWhoseSourceHangsForTenMinutesHoldsItsPermitsAndNobodyElsesAndComesBackByItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRegion(t, &scripted{})
		hung := hungGate()
		var others tally
		var retries callers
		overdueAtOnce := 0
		for begun, i := time.Now(), 0; time.Since(begun) < 10*time.Minute; i++ {
			retries.add(leavingAfter(t, 3*time.Second), r, "hung", hung.load)
			o := get(context.Background(), r, "other "+strconv.Itoa(i%50), after(10*time.Millisecond, cacheaside.Loaded("value", "")))
			others.add(o.err == nil && o.took == 10*time.Millisecond)
			if s := r.Stats(); s.OverdueLoads > 4 || s.RunningLoads > 4 || i > 100 && s.OverdueLoads != 4 {
				t.Fatalf("after %v: %+v", time.Since(begun), s)
			}
			<-time.After(90 * time.Millisecond)
		}
		retries.each(func(o outcome) {
			switch reasonOf(o) {
			case cacheaside.ReasonLoadDeadline:
				if o.took > time.Second {
					t.Fatalf("released after %v", o.took)
				}
			case cacheaside.ReasonOverdue:
				wantAtOnce(t, o)
				overdueAtOnce++
			default:
				t.Fatalf("a caller of the hung key got %v, %v", o.result.Status, o.err)
			}
		})
		if calls, peak := hung.counts(); calls != 4 || peak != 4 {
			t.Fatalf("%d loads of the hung key, %d at once; want 4", calls, peak)
		}
		if others.well < others.all*999/1000 || others.all < 5000 || overdueAtOnce < 5000 {
			t.Fatalf("others served: %d of %d, refused at once: %d", others.well, others.all, overdueAtOnce)
		}
		close(hung.open)
		wantAtRest(t, r, 16)
		wantValue(t, get(context.Background(), r, "hung", returning(cacheaside.Loaded("back", ""))), cacheaside.StatusLoaded, "back")
	})
}

func TestAHungKeyThatIsInvalidatedOverAndOverHoldsNoMoreThanItsPermits(t *testing.T) {
	for _, row := range []struct {
		name     string
		patience time.Duration
		change   func(*cacheaside.Policy)
	}{
		{"callers who wait", 3 * time.Second, func(*cacheaside.Policy) {}},
		{"callers who leave", 20 * time.Millisecond, func(*cacheaside.Policy) {}},
		{"callers who leave and abandon", 20 * time.Millisecond, cancelAbandoned},
	} {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRegion(t, &scripted{}, policy(row.change))
				hung := hungGate()
				var retries callers
				var others tally
				for i := range 1000 {
					retries.add(leavingAfter(t, row.patience), r, "hung", hung.load)
					synctest.Wait()
					if err := cacheaside.Invalidate(context.Background(), r, "hung"); err != nil {
						t.Fatal(err)
					}
					o := get(context.Background(), r, "other "+strconv.Itoa(i), after(10*time.Millisecond, cacheaside.Loaded("value", "")))
					others.add(o.err == nil)
					if s := r.Stats(); s.RunningLoads > 4 || s.OverdueLoads > 4 {
						t.Fatalf("round %d: %+v", i, s)
					}
				}
				retries.each(func(outcome) {})
				if _, peak := hung.counts(); peak != 4 {
					t.Fatalf("%d loads of the hung key at once, want 4", peak)
				}
				if others.well != others.all {
					t.Fatalf("others served: %d of %d", others.well, others.all)
				}
				close(hung.open)
				wantAtRest(t, r, 16)
			})
		})
	}
}

// TestC07_OneStalledUpstreamCallDoesNotBlockItsKeyForHours sends a call of the stalled key and one of another every 10 ms for 3 s.
func TestC07_OneStalledUpstreamCallDoesNotBlockItsKeyForHours(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const deadline = 200 * time.Millisecond
		r := newRegion(t, &scripted{}, policy(func(p *cacheaside.Policy) {
			p.MaxWaitersPerKey, p.SourceConcurrency, p.MaxOverduePerKey, p.LoadDeadline = 8, 4, 1, deadline
		}))
		stuck := hungGate()
		var stalled, others callers
		for range 300 {
			stalled.add(leavingAfter(t, time.Second), r, "k", stuck.load)
			others.add(context.Background(), r, "other", after(time.Millisecond, cacheaside.Loaded("value", "")))
			<-time.After(10 * time.Millisecond)
			if s := r.Stats(); s.RunningLoads > 2 || s.Waiters > 8 {
				t.Fatalf("%+v", s)
			}
		}
		stalled.each(func(o outcome) {
			if o.result.Status != cacheaside.StatusRejected || o.took > deadline {
				t.Fatalf("got %v, %v after %v", o.result.Status, o.err, o.took)
			}
		})
		others.each(func(o outcome) { wantValue(t, o, cacheaside.StatusLoaded, "value") })
		if calls, _ := stuck.counts(); calls != 1 {
			t.Fatalf("%d loaders got stuck", calls)
		}
		close(stuck.open)
		wantAtRest(t, r, 4)
	})
}
