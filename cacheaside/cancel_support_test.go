package cacheaside_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/cacheaside/resilience/cacheaside"
)

// scene is one leader and its followers, held at one point of their way.
type scene struct {
	region *stringRegion
	cache  *scripted
	clock  *hookedClock
	source *counting

	leader                        <-chan outcome
	followers                     *callers
	cancelLeader, cancelFollowers context.CancelFunc
	resume                        func()

	// What a point sets up before anybody calls.
	inLoader func(ctx context.Context)
}

// point is a place on a leader's way.
type point struct {
	name    string
	hold    func(t *testing.T, s *scene, wait func())
	asked   bool // the source has been asked by then
	decided bool // the loader has returned by then
}

func points() []point {
	return []point{
		{name: "in the lookup", hold: func(_ *testing.T, s *scene, wait func()) {
			s.cache.lookup = func(_ context.Context, key string) cacheaside.Lookup[string] {
				defer wait()
				return s.cache.stored(key)
			}
		}},
		{name: "in the second lookup", hold: func(t *testing.T, s *scene, wait func()) {
			// An invalidation during the first lookup is a reason for a second one. Followers look between the two.
			s.cache.lookup = func(ctx context.Context, key string) cacheaside.Lookup[string] {
				switch s.cache.lookedUp() {
				case 1:
					if err := cacheaside.Invalidate(ctx, s.region, key); err != nil {
						t.Errorf("Invalidate: %v", err)
					}
				case 2:
					wait()
				}
				return s.cache.stored(key)
			}
		}},
		{name: "waiting for a permit", hold: func(t *testing.T, s *scene, wait func()) {
			busy := goGet(context.Background(), s.region, "busy", func(context.Context, string) cacheaside.SourceOutcome[string] {
				wait()
				return cacheaside.PermanentFailure[string]("busy", nil)
			})
			t.Cleanup(func() { <-busy })
			synctest.Wait()
		}},
		{name: "between the grant and the start", hold: func(_ *testing.T, s *scene, wait func()) { s.clock.onNow(wait) }},
		{name: "in the loader", asked: true, hold: func(_ *testing.T, s *scene, wait func()) {
			s.inLoader = func(context.Context) { wait() }
		}},
		{name: "while recording", asked: true, decided: true, hold: func(_ *testing.T, s *scene, wait func()) {
			s.cache.record = func(context.Context, string, cacheaside.Entry[string], cacheaside.Condition) cacheaside.RecordOutcome {
				wait()
				return cacheaside.RecordOutcome{Certainty: cacheaside.RecordApplied}
			}
		}},
	}
}

const followersOfAScene = 7

// newScene brings a leader and its followers to the point, in a region with a single permit.
func newScene(t *testing.T, at point, change ...func(*cacheaside.RegionConfig[string, string])) *scene {
	t.Helper()
	s := &scene{cache: &scripted{}, clock: &hookedClock{Clock: clock.New()}, followers: &callers{}}
	change = append([]func(*cacheaside.RegionConfig[string, string]){onClock(s.clock), policy(func(p *cacheaside.Policy) {
		p.SourceConcurrency, p.MaxOverduePerKey, p.AdmissionWait = 1, 1, time.Second
	})}, change...)
	s.region = newRegion(t, s.cache, change...)
	s.source = counted(func(ctx context.Context, _ string) cacheaside.SourceOutcome[string] {
		if s.inLoader != nil {
			s.inLoader(ctx)
		}
		if ctx.Err() != nil {
			return cacheaside.Cancelled[string](ctx.Err())
		}
		return cacheaside.Loaded("value", "")
	})
	wait, open := blocking()
	s.resume = open
	t.Cleanup(open)
	at.hold(t, s, wait)

	leading, cancelLeader := context.WithCancel(context.Background())
	following, cancelFollowers := context.WithCancel(context.Background())
	s.cancelLeader, s.cancelFollowers = cancelLeader, cancelFollowers
	t.Cleanup(cancelLeader)
	t.Cleanup(cancelFollowers)
	s.leader = goGet(leading, s.region, "key", s.source.call)
	synctest.Wait()
	for range followersOfAScene {
		s.followers.add(following, s.region, "key", s.source.call)
	}
	synctest.Wait()
	return s
}
