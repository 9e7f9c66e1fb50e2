package explore

import (
	"context"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/cacheaside/resilience/cacheaside"
)

// Fills is the system of flights and fills: actors, each a process with a [cacheaside.Region] of its own, that read one row through one store; and a
// writer, in the process of one of them, that changes the row at its source and then invalidates it. It is made anew for every run.
type Fills struct {
	cfg     FillConfig
	store   *fillStore
	fences  *fenceStore // nil under Local
	parking Parking
	actors  []*actor
	ghosts  []*ghost
	loads   map[string]*load

	version  int // of the row at the source
	floor    int // what the newest Invalidate that returned nil has settled
	newer    int // how many loads had begun when that one was called
	writing  *writing
	left     budgets
	stranded []func() // let the calls of crashed actors go at last
	broken   []error  // promises that were broken on the way
	ending   int      // how far the completion has come
	calm     bool     // no read may fail any more
	upset    bool     // something has gone wrong, so that a fleet may load once more than needed
	astray   bool     // a grant may be live that nobody has
	tombLost bool     // a tombstone was lost before its time, or may be

	mu       sync.Mutex
	arrivals []func() // what goroutines of the actors have to tell, guarded by mu
}

// budgets are what of the configuration's is left.
type budgets struct{ updates, faults, crashes, leaves, evictions, timeSteps, losses int }

// NewFills makes the system. The error is one of the configuration.
func NewFills(cfg FillConfig) (*Fills, error) {
	store, err := newFillStore(cfg)
	if err != nil {
		return nil, err
	}
	f := &Fills{
		cfg: cfg, store: store, version: 1, loads: make(map[string]*load),
		left: budgets{cfg.Updates, cfg.Faults, cfg.Crashes, cfg.Leaves, cfg.Evictions, cfg.TimeSteps, cfg.Losses},
	}
	if cfg.Fence != NoFences {
		f.fences = newFenceStore(store, cfg)
	}
	for index := range cfg.Gets {
		a := &actor{
			index: index, name: "a" + strconv.Itoa(index), clock: &skewedClock{Clock: clock.New()}, grants: make(map[string]cacheaside.Fence),
		}
		if f.fences != nil {
			a.clock.set = &timersSet{}
		}
		if index == 1 {
			a.clock.skew = cfg.Skew
		}
		var warned atomic.Bool
		a.region, err = cacheaside.NewRegion(cacheaside.RegionConfig[string, Row]{
			Name: fmt.Sprintf("actor%d", index), Cache: f.portOf(a), Policy: cfg.Policy, Clock: a.clock, Random: &requests{actor: index},
			Observer: cacheaside.ObserverFunc(func(e cacheaside.Event) {
				if e.Kind == cacheaside.EventWarning {
					warned.Store(true)
				}
			}),
		})
		if err != nil {
			return nil, err
		}
		if warned.Load() {
			return nil, fmt.Errorf("explore: the lives of entries and tombstones do not outlive the loads of the policy")
		}
		f.actors = append(f.actors, a)
	}
	f.begin()
	return f, nil
}

func (f *Fills) begin() {
	if f.cfg.Start == StartEmpty {
		return
	}
	f.loads["start"] = &load{actor: f.actors[0], returned: true}
	f.seed(cacheaside.Entry[Row]{Value: Row{Version: 1, Load: "start"}})
	if f.cfg.Start == StartEnding {
		time.Sleep(FillTTL().Hard - endingBefore - max(0, f.cfg.Skew))
		return
	}
	time.Sleep(FillTTL().Soft + max(0, -f.cfg.Skew))
}

// seed stores the first version of the row.
func (f *Fills) seed(entry cacheaside.Entry[Row]) {
	if f.fences == nil {
		f.store.record(0, entry, cacheaside.Condition{})
		return
	}
	if f.cfg.Ordered {
		entry.Revision = revisionOf(1)
	}
	f.fences.fill(recording{entry: entry, fence: f.fences.acquire(cacheaside.RequestID{}, "", time.Millisecond).Fence})
}

// tell lets a goroutine of an actor tell what happened; it is taken in at the next quiescent point.
func (f *Fills) tell(arrival func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.arrivals = append(f.arrivals, arrival)
}

// issuerKey is where the context of an operation carries its name.
type issuerKey struct{}

// startGet begins the actor's next Get.
func (f *Fills) startGet(a *actor) {
	g := &get{actor: a, number: len(a.gets) + 1, begun: time.Now(), floor: f.floor, newer: f.newer}
	g.issuer = "get" + strconv.Itoa(g.number)
	a.gets = append(a.gets, g)
	a.happened("get")
	ctx, cancel := context.WithCancel(context.WithValue(context.Background(), issuerKey{}, g.issuer))
	g.leave = cancel
	go func() {
		defer cancel()
		result, err := cacheaside.Get(ctx, a.region, rowKey, f.loader(a))
		at := time.Now()
		f.tell(func() { f.answered(g, result, err, at) })
	}()
}

// startInvalidate begins the writer's Invalidate of what it wrote; put, its Put.
func (f *Fills) startInvalidate(put bool) {
	a := f.actors[f.cfg.Writer]
	f.writing.on, f.writing.applied, f.writing.loads = true, false, len(f.loads)
	f.mark(a)
	a.happened("invalidate")
	row := Row{Version: f.writing.version, Load: "put"}
	ctx := context.WithValue(context.Background(), issuerKey{}, "writer")
	go func() {
		var err error
		if put {
			err = cacheaside.Put(ctx, a.region, rowKey, row, revisionOf(row.Version))
		} else {
			err = cacheaside.Invalidate(ctx, a.region, rowKey)
		}
		f.tell(func() { f.invalidated(a, err) })
	}()
}
