package cacheaside_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/cacheaside/resilience/cacheaside"
)

// TestC65_OnlyTheInjectedClockEndsAWait: the clock drives the timers, as the documentation says, so a frozen clock ends nothing and a moved one ends
// what is due at once, wherever the wall clock stands.
func TestC65_OnlyTheInjectedClockEndsAWait(t *testing.T) {
	const wait = 100 * time.Millisecond
	for _, row := range []struct {
		name  string
		early []time.Duration // moves that end nothing
		last  time.Duration   // the one that does
	}{
		{"on time", []time.Duration{wait - 1}, 1},
		{"an hour ahead in the middle", []time.Duration{wait / 2}, time.Hour},
		{"an hour back in the middle, then as far ahead and the rest", []time.Duration{wait / 2, -time.Hour, time.Hour}, wait / 2},
	} {
		for _, waiting := range []struct {
			name   string
			begin  func(r *stringRegion) <-chan outcome
			reason cacheaside.Reason
		}{
			{"admission", func(r *stringRegion) <-chan outcome {
				return goGet(context.Background(), r, "queued", returning(cacheaside.Loaded("value", "")))
			}, cacheaside.ReasonAdmissionTimeout},
			{"a follower of a load", func(r *stringRegion) <-chan outcome {
				return goGet(context.Background(), r, "busy", returning(cacheaside.Loaded("value", "")))
			}, cacheaside.ReasonLoadDeadline},
		} {
			t.Run(waiting.name+", "+row.name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					mock := clock.NewMock()
					mock.Set(time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC))
					r := newRegion(t, &scripted{}, onClock(mock), policy(func(p *cacheaside.Policy) {
						p.SourceConcurrency, p.MaxOverduePerKey, p.AdmissionWait, p.LoadDeadline = 1, 1, wait, wait
					}))
					busy := hungGate()
					leader := goGet(context.Background(), r, "busy", busy.load)
					synctest.Wait()
					waiter := waiting.begin(r)
					<-time.After(time.Hour) // of the wall clock, which ends nothing
					for _, move := range row.early {
						mock.Set(mock.Now().Add(move))
						synctest.Wait()
						select {
						case o := <-waiter:
							t.Fatalf("ended early with %v", o.err)
						case o := <-leader:
							t.Fatalf("the leader ended early with %v", o.err)
						default:
						}
					}
					mock.Add(row.last)
					synctest.Wait()
					select {
					case o := <-waiter:
						wantRejected(t, o, waiting.reason)
					default:
						t.Fatal("still waits")
					}
					wantRejected(t, <-leader, cacheaside.ReasonLoadDeadline)
					close(busy.open)
					synctest.Wait()
					wantEmpty(t, r)
				})
			})
		}
	}
}

func TestTheWaitForARecordAndTheBackoffFollowTheInjectedClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mock := clock.NewMock()
		wait, open := blocking()
		cache := &scripted{record: func(context.Context, string, cacheaside.Entry[string], cacheaside.Condition) cacheaside.RecordOutcome {
			wait()
			return cacheaside.RecordOutcome{Certainty: cacheaside.RecordApplied}
		}}
		r := newRegion(t, cache, onClock(mock), policy(func(p *cacheaside.Policy) { p.FailureBackoff = time.Second }))
		pending := goGet(context.Background(), r, "key", returning(cacheaside.Loaded("value", "")))
		synctest.Wait()
		mock.Add(250*time.Millisecond - 1)
		if s := r.Stats(); s.InFlightKeys != 1 {
			t.Fatalf("released before its time: %+v", s)
		}
		mock.Add(1)
		wantPending(t, <-pending)
		open()

		down := returning(cacheaside.TransientFailure[string]("down", nil))
		get(context.Background(), r, "failing", down)
		mock.Add(time.Second - 1)
		wantRejected(t, get(context.Background(), r, "failing", down), cacheaside.ReasonSourceBackoff)
		mock.Add(1)
		synctest.Wait()
		if o := get(context.Background(), r, "failing", down); o.result.Status != cacheaside.StatusFailed {
			t.Fatalf("after the backoff: %v, %v", o.result.Status, o.err)
		}
		mock.Add(time.Second)
		wantEmpty(t, r)
	})
}
