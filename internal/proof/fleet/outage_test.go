package fleet_test

import (
	"context"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/internal/redistest"
)

// gauge is one process's source: it counts its loads and how many run at once at most.
type gauge struct {
	calls, running, most atomic.Int64
}

func (g *gauge) load(context.Context, string) cacheaside.SourceOutcome[string] {
	g.calls.Add(1)
	now := g.running.Add(1)
	defer g.running.Add(-1)
	for most := g.most.Load(); now > most && !g.most.CompareAndSwap(most, now); most = g.most.Load() {
	}
	<-time.After(5 * time.Millisecond)
	return cacheaside.Loaded("value", "")
}

const outagePermits = 3

// severed is two processes on one server, each behind a line of its own.
type severed struct {
	*fleet
	proxies [2]*redistest.Proxy
	sources [2]gauge
	checked int // how often one load was wanted
}

func openSevered(t *testing.T) *severed {
	t.Helper()
	server := redistest.Start(t, redistest.Options{})
	policy := fleetPolicy()
	policy.SourceConcurrency, policy.AdmissionWait, policy.MaxOverduePerKey = outagePermits, 10*time.Second, 1
	cfg, s := redisConfig(true), &severed{}
	var caches []cacheaside.Cache[string, string]
	for i := range s.proxies {
		s.proxies[i] = redistest.StartProxy(t, server.Addr())
		client := redis.NewClient(redistest.ClientOptions(s.proxies[i].Addr()))
		t.Cleanup(func() { _ = client.Close() })
		caches = append(caches, openOn(t, client, cfg))
	}
	s.fleet = onCaches(t, policy, caches...)
	return s
}

// storm lets every process ask for many keys at once, twice each.
func (s *severed) storm(t *testing.T, round string) (results []cacheaside.Result[string]) {
	t.Helper()
	const keys = 24
	var asking sync.WaitGroup
	var mu sync.Mutex
	for i, region := range s.regions {
		for n := range 2 * keys {
			asking.Go(func() {
				result, err := cacheaside.Get(context.Background(), region, round+strconv.Itoa(n%keys), s.sources[i].load)
				if err != nil {
					t.Error(err)
				}
				mu.Lock()
				defer mu.Unlock()
				results = append(results, result)
			})
		}
	}
	asking.Wait()
	return results
}

func (s *severed) wantBounded(t *testing.T, results []cacheaside.Result[string]) {
	t.Helper()
	for i := range s.sources {
		if most := s.sources[i].most.Load(); most > outagePermits {
			t.Errorf("process %d had %d loads running at once, want at most %d", i, most, outagePermits)
		}
	}
	for _, result := range results {
		if result.Status != cacheaside.StatusLoaded {
			t.Fatalf("got %v, want a load", result.Status)
		}
		if result.Record.Certainty != cacheaside.RecordNotApplied || result.Record.Reason != cacheaside.RecordUnfenced {
			t.Fatalf("recorded as %v %v, want NotApplied Unfenced", result.Record.Certainty, result.Record.Reason)
		}
	}
}

// wantOneLoadAgain waits for both processes to record again, and then wants one load between them.
func (s *severed) wantOneLoadAgain(t *testing.T) {
	t.Helper()
	ctx, begun := context.Background(), time.Now()
	s.checked++
	round := strconv.Itoa(s.checked)
	for i, region := range s.regions {
		for n := 0; ; n++ {
			result, err := cacheaside.Get(ctx, region, "warm "+round+" "+strconv.Itoa(i)+" "+strconv.Itoa(n), s.sources[i].load)
			if err == nil && result.Record.Certainty == cacheaside.RecordApplied {
				break
			}
			if time.Since(begun) > 30*time.Second {
				t.Fatalf("process %d does not record again: %v, %v", i, result.Record, err)
			}
			<-time.After(20 * time.Millisecond)
		}
	}
	var calls atomic.Int64
	wantOneLoad(t, s.fleet, &calls, s.stampede(50, "afterwards "+round, counted(&calls, 50*time.Millisecond)))
}

func TestAFleetWithoutItsServerIsBoundedInEveryProcessAndComesBack(t *testing.T) {
	t.Parallel()
	s := openSevered(t)
	s.wantOneLoadAgain(t)
	for _, proxy := range s.proxies {
		proxy.Inject(redistest.Fault{Kind: redistest.Refuse})
	}
	s.wantBounded(t, s.storm(t, "cut"))
	for _, proxy := range s.proxies {
		proxy.Heal()
	}
	s.wantOneLoadAgain(t)
}

// TestAFleetWhoseGrantsAreNotAnsweredIsBoundedInEveryProcessAndComesBack leaves lookups alone, so that every flight asks for its grant.
func TestAFleetWhoseGrantsAreNotAnsweredIsBoundedInEveryProcessAndComesBack(t *testing.T) {
	t.Parallel()
	for name, kind := range map[string]redistest.Kind{"never sent on": redistest.Cut, "never answered": redistest.ResetBeforeReply} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := openSevered(t)
			for _, proxy := range s.proxies {
				proxy.Inject(redistest.Fault{Kind: kind, Commands: []string{"EVALSHA", "EVAL"}})
			}
			s.wantBounded(t, s.storm(t, "cut"))
			for _, proxy := range s.proxies {
				proxy.Heal()
			}
			s.wantOneLoadAgain(t)
		})
	}
}
