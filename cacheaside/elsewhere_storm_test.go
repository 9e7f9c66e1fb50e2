package cacheaside_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/cacheaside/memory"
)

const (
	fleetKeys   = 5
	fleetActors = 24
	fleetSteps  = 40 // of each actor
)

// fleet is two or three processes over one store, under random actions.
type fleet struct {
	processes []*process
	rows      [fleetKeys]row
	seed      uint64
}

// process is one region with what it may have.
type process struct {
	region *stringRegion
	cache  *distant
	policy cacheaside.Policy
	loads  loadCount
}

func newFleet(t *testing.T, seed uint64) *fleet {
	t.Helper()
	store, err := memory.New(memory.Config[string, string]{TTL: fleetLives, MaxEntries: 1 << 10})
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	f := &fleet{seed: seed}
	mixed := rng.IntN(3) == 0 // as while a release is rolled out
	for n := range 2 + rng.IntN(2) {
		p := &process{policy: fleetPolicy(rng), loads: loadCount{byKey: map[string]int{}}}
		p.cache = &distant{store: store, schema: "a", rng: rand.New(rand.NewPCG(seed, 1<<32+uint64(n)))}
		if mixed && n == 0 {
			p.cache.schema = "b"
		}
		p.region = newRegion(t, p.cache, policy(func(to *cacheaside.Policy) { *to = p.policy }))
		f.processes = append(f.processes, p)
	}
	return f
}

// load reads the row at some moment of a load that may end in every way.
func (f *fleet) load(p *process, rng *rand.Rand) cacheaside.Loader[string, string] {
	way, before, after := rng.IntN(40), time.Duration(rng.IntN(2000))*time.Microsecond, time.Duration(rng.IntN(5000))*time.Microsecond
	return func(ctx context.Context, key string) cacheaside.SourceOutcome[string] {
		p.loads.enter(key)
		defer p.loads.leave(key)
		<-time.After(before)
		n, _ := strconv.Atoi(key)
		_, version := f.rows[n].state()
		<-time.After(after)
		switch way {
		case 0, 1, 2:
			return cacheaside.TransientFailure[string]("down", errDown)
		case 3:
			panic("boom")
		case 4:
			runtime.Goexit()
		case 5, 6, 7:
			<-time.After(12 * time.Millisecond) // past its deadline, whatever its context says
		case 8:
			<-ctx.Done()
			return cacheaside.Cancelled[string](ctx.Err())
		case 9:
			return cacheaside.Unclassified[string](errDriver)
		}
		if missingVersion(version) {
			return cacheaside.AuthoritativeAbsent[string]("none", "")
		}
		return cacheaside.Loaded(strconv.Itoa(version), "")
	}
}

// act does one random thing, after a while.
func (f *fleet) act(t *testing.T, rng *rand.Rand) {
	<-time.After(time.Duration(rng.IntN(6000)) * time.Microsecond)
	p, key := f.processes[rng.IntN(len(f.processes))], rng.IntN(fleetKeys)
	if rng.IntN(12) == 0 {
		key = 0
	}
	text, truth := strconv.Itoa(key), &f.rows[key]
	if rng.IntN(14) == 0 {
		version := truth.write()
		if err := cacheaside.Invalidate(context.Background(), p.region, text); err == nil {
			truth.settle(version)
		}
		return
	}
	call := &asked{}
	ctx, cancel := context.WithTimeout(context.WithValue(context.Background(), askedKey{}, call), time.Duration(1+rng.IntN(40))*time.Millisecond)
	defer cancel()
	settled, _ := truth.state()
	o := get(ctx, p.region, text, f.load(p, rng))
	if !truth.allows(settled, o) && !call.failed.Load() {
		_, latest := truth.state()
		t.Errorf("seed %d: %v %q for key %s, which was settled at %d before and is %d now", f.seed, o.result.Status, o.result.Value, text, settled, latest)
	}
	f.judge(t, p, o)
}

// judge checks what must hold of every answer and of every region at every moment.
func (f *fleet) judge(t *testing.T, p *process, o outcome) {
	t.Helper()
	var rejected *cacheaside.RejectedError
	if o.result.Status == cacheaside.StatusRejected && (!errors.As(o.err, &rejected) || rejected.Reason == 0) {
		t.Errorf("seed %d: rejected with %v", f.seed, o.err)
	}
	// A lookup there and back, another one, the admission, the load and its record.
	if limit := 10*time.Millisecond + p.policy.AdmissionWait + p.policy.LoadDeadline + p.policy.RecordWait; o.took > limit {
		t.Errorf("seed %d: answered %v after %v", f.seed, o.result.Status, o.took)
	}
	g := p.region.Stats()
	if g.InFlightKeys > p.policy.MaxInFlightKeys || g.RunningLoads > p.policy.SourceConcurrency || g.OverdueLoads > g.RunningLoads ||
		min(g.InFlightKeys, g.Waiters, g.RunningLoads, g.OverdueLoads, g.RunningRecords) < 0 {
		t.Errorf("seed %d: out of bounds: %+v", f.seed, g)
	}
}

// closeOne closes a process in the middle, and gives it a moment only.
func (f *fleet) closeOne() {
	<-time.After(time.Duration(f.seed%100) * time.Millisecond)
	ctx, cancel := context.WithTimeout(context.Background(), time.Duration(f.seed%8)*time.Millisecond)
	defer cancel()
	_ = f.processes[0].region.Close(ctx) // told again at the end, when nothing runs any more
}

// rest waits until everything is over and checks that nothing is left and no bound was crossed.
func (f *fleet) rest(t *testing.T) {
	t.Helper()
	<-time.After(time.Second)
	for _, p := range f.processes {
		wantEmpty(t, p.region)
		if p.loads.peak > p.policy.SourceConcurrency || p.loads.most > max(p.policy.MaxOverduePerKey, 2) {
			t.Errorf("seed %d: %d loads at once, %d of one key, under %+v", f.seed, p.loads.peak, p.loads.most, p.policy)
		}
		p.cache.mu.Lock()
		p.cache.rng = rand.New(rand.NewPCG(f.seed, 1<<33))
		p.cache.mu.Unlock()
	}
}

// fleetSeeds is how many fleets a test plays; CACHEASIDE_FLEETS sets it.
func fleetSeeds(t *testing.T) int {
	t.Helper()
	text := os.Getenv("CACHEASIDE_FLEETS")
	if text == "" {
		return 40
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("CACHEASIDE_FLEETS is %q, want a number", text)
	}
	return n
}

// TestNobodyWhoseLookupWorksIsAnsweredWithWhatAnotherProcessHadInvalidatedBefore plays random fleets: writers and readers in several processes, with
// lookups and writes that are slow, fail and get lost, loads that end in every way, and every bound met.
func TestNobodyWhoseLookupWorksIsAnsweredWithWhatAnotherProcessHadInvalidatedBefore(t *testing.T) {
	first := rand.Uint64() >> 16
	for seed := first; seed < first+uint64(fleetSeeds(t)) && !t.Failed(); seed++ {
		synctest.Test(t, func(t *testing.T) {
			f := newFleet(t, seed)
			var all sync.WaitGroup
			for actor := range fleetActors {
				all.Go(func() {
					rng := rand.New(rand.NewPCG(seed, 100+uint64(actor)))
					for range fleetSteps {
						f.act(t, rng)
					}
				})
			}
			if seed%4 == 0 {
				all.Go(func() { f.closeOne() })
			}
			all.Wait()
			f.rest(t)
		})
	}
}
