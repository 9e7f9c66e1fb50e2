package cacheaside_test

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/cacheaside/resilience/cacheaside"
)

func TestALeaderCancelledAtAnyPointTakesNobodyWithIt(t *testing.T) {
	for _, at := range points() {
		t.Run(at.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newScene(t, at)
				s.cancelLeader()
				synctest.Wait()
				s.resume()
				if at.decided {
					wantPending(t, <-s.leader)
				} else {
					wantCancelled(t, <-s.leader, context.Canceled)
				}
				s.followers.each(func(o outcome) {
					if o.err != nil || o.result.Value != "value" || o.result.Record.Certainty == cacheaside.RecordIndeterminate {
						t.Fatalf("a follower got %+v, error %v", o.result, o.err)
					}
				})
				s.source.want(t, 1)
				if records := s.cache.records(); len(records) != 1 || records[0].entry.Value != "value" {
					t.Fatalf("records %+v", records)
				}
				wantAtRest(t, s.region, 1)
			})
		})
	}
}

func TestAFollowerCancelledAtAnyPointTakesNobodyWithIt(t *testing.T) {
	for _, at := range points() {
		t.Run(at.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newScene(t, at)
				s.cancelFollowers()
				synctest.Wait()
				s.resume()
				s.followers.each(func(o outcome) {
					if at.decided {
						wantPending(t, o)
					} else {
						wantCancelled(t, o, context.Canceled)
					}
				})
				wantValue(t, <-s.leader, cacheaside.StatusLoaded, "value")
				s.source.want(t, 1)
				wantAtRest(t, s.region, 1)
			})
		})
	}
}

func TestALoadThatEverybodyLeftFinishesAndFillsTheCacheAndOneThatHadNotStartedNeverDoes(t *testing.T) {
	for _, at := range points() {
		t.Run(at.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newScene(t, at)
				s.cancelLeader()
				s.cancelFollowers()
				synctest.Wait()
				s.resume()
				synctest.Wait()
				if !at.asked {
					s.source.want(t, 0)
					if records := s.cache.records(); len(records) != 0 {
						t.Fatalf("records %+v of a load that nobody wanted", records)
					}
				} else {
					s.source.want(t, 1)
					if records := s.cache.records(); len(records) != 1 || records[0].entry.Value != "value" {
						t.Fatalf("records %+v, want the value of the load that everybody left", records)
					}
				}
				wantAtRest(t, s.region, 1)
				wantValue(t, get(context.Background(), s.region, "key", s.source.call), cacheaside.StatusLoaded, "value")
			})
		})
	}
}

// wantPending checks the answer of a caller that left after the loader had returned a value and before the record had ended.
func wantPending(t testing.TB, o outcome) {
	t.Helper()
	wantValue(t, o, cacheaside.StatusLoaded, "value")
	if o.result.Record.Certainty != cacheaside.RecordIndeterminate || o.result.Record.Reason != cacheaside.RecordPending {
		t.Fatalf("record %+v, want Indeterminate, Pending", o.result.Record)
	}
}
