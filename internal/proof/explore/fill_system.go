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

	mu       sync.Mutex
	arrivals []func() // what goroutines of the actors have to tell, guarded by mu
}

// budgets are what of the configuration's is left.
type budgets struct{ updates, faults, crashes, evictions, timeSteps int }

// actor is one process.
type actor struct {
	index   int
	name    string
	region  *cacheaside.Region[string, Row]
	clock   *skewedClock
	crashed bool
	gets    []*get
	history []event
	marks   int       // how often its process learned of an invalidation
	failed  time.Time // when its source failed last
}

// get is one call of cacheaside.Get.
type get struct {
	actor  *actor
	number int
	issuer string
	begun  time.Time
	floor  int       // what was settled when it began
	looked time.Time // when its first lookup was answered
	marks  int       // of its actor at that moment
	blind  bool      // its first lookup failed
	missed bool      // a lookup of it, or of its flight, failed
	tomb   bool      // its first lookup saw a tombstone
	newer  int       // loads with a higher number than this began after what was settled when it began was written
	done   bool
}

// load is one call of the source.
type load struct {
	actor    *actor
	number   int // among all loads of the run
	begun    time.Time
	marked   bool // an invalidation came since it began, as far as its process can know
	returned bool
	failed   bool
	blind    bool // a lookup before it failed, so that its callers are let go before its record
	late     bool // it returned after its deadline
	stored   bool // its record took effect
	denied   bool // a caller was told that it did not, and will not
}

// writing is the row's change that has not been invalidated yet.
type writing struct {
	version int  // of the row
	loads   int  // how many had begun when the Invalidate was called
	on      bool // an Invalidate is on
	applied bool // it has put its tombstone
}

// ghost is a write that is on its way while whoever sent it does not wait any more.
type ghost struct {
	name  string
	actor *actor
	what  any
	until time.Time // when it is lost at the latest
}

// NewFills makes the system. The error is one of the configuration.
func NewFills(cfg FillConfig) (*Fills, error) {
	store, err := newFillStore(cfg.Rule)
	if err != nil {
		return nil, err
	}
	f := &Fills{
		cfg: cfg, store: store, version: 1, loads: make(map[string]*load),
		left: budgets{cfg.Updates, cfg.Faults, cfg.Crashes, cfg.Evictions, cfg.TimeSteps},
	}
	for index := range cfg.Gets {
		a := &actor{index: index, name: "a" + strconv.Itoa(index), clock: &skewedClock{Clock: clock.New()}}
		if index == 1 {
			a.clock.skew = cfg.Skew
		}
		var warned atomic.Bool
		a.region, err = cacheaside.NewRegion(cacheaside.RegionConfig[string, Row]{
			Name: fmt.Sprintf("actor%d", index), Cache: &port{f, a}, Policy: cfg.Policy, Clock: a.clock,
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
	f.store.record(0, cacheaside.Entry[Row]{Value: Row{Version: 1, Load: "start"}}, cacheaside.Condition{})
	if f.cfg.Start == StartEnding {
		time.Sleep(FillTTL().Hard - endingBefore - max(0, f.cfg.Skew))
		return
	}
	time.Sleep(FillTTL().Soft + max(0, -f.cfg.Skew))
}

// tell lets a goroutine of an actor tell what happened; it is taken in at the next quiescent point.
func (f *Fills) tell(arrival func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.arrivals = append(f.arrivals, arrival)
}

// takeIn notes what has happened since the last quiescent point.
func (f *Fills) takeIn() {
	f.mu.Lock()
	arrivals := f.arrivals
	f.arrivals = nil
	f.mu.Unlock()
	for _, arrival := range arrivals {
		arrival()
	}
	for _, call := range f.parking.Waiting() {
		if p := told(call); call.Kind == kindLoad && p.load == nil {
			p.load = f.newLoad(call)
			f.loads[call.Name()] = p.load
		}
	}
	for _, a := range f.actors {
		if f.atRest(a) {
			a.history, a.failed = nil, time.Time{}
		}
	}
}

// newLoad notes a load that has begun. Its flight may be older, and superseded already.
func (f *Fills) newLoad(call *Parked) *load {
	a := f.actors[call.Actor]
	l := &load{actor: a, number: len(f.loads) + 1, begun: call.Since}
	for _, g := range a.gets {
		if g.issuer == call.Issuer {
			l.marked, l.blind = a.marks > g.marks, g.missed
		}
	}
	return l
}

// atRest tells whether nothing of an actor's past matters any more to what it does from now on.
func (f *Fills) atRest(a *actor) bool {
	if a.crashed || len(a.history) == 0 {
		return a.crashed
	}
	for _, g := range a.gets {
		if !g.done {
			return false
		}
	}
	if a.index == f.cfg.Writer && f.writing != nil && f.writing.on {
		return false
	}
	return idle(a.region.Stats())
}

func idle(s cacheaside.Stats) bool {
	return s.InFlightKeys+s.Waiters+s.RunningLoads+s.OverdueLoads+s.RememberedFailures+s.RunningRecords == 0
}

// issuerKey is where the context of an operation carries its name.
type issuerKey struct{}

// startGet begins the actor's next Get.
func (f *Fills) startGet(a *actor) {
	g := &get{actor: a, number: len(a.gets) + 1, begun: time.Now(), floor: f.floor, newer: f.newer}
	g.issuer = "get" + strconv.Itoa(g.number)
	a.gets = append(a.gets, g)
	a.happened("get")
	ctx := context.WithValue(context.Background(), issuerKey{}, g.issuer)
	go func() {
		result, err := cacheaside.Get(ctx, a.region, rowKey, f.loader(a))
		at := time.Now()
		f.tell(func() { f.answered(g, result, err, at) })
	}()
}

// startInvalidate begins the writer's Invalidate of what it wrote.
func (f *Fills) startInvalidate() {
	a := f.actors[f.cfg.Writer]
	f.writing.on, f.writing.applied, f.writing.loads = true, false, len(f.loads)
	f.mark(a)
	a.happened("invalidate")
	ctx := context.WithValue(context.Background(), issuerKey{}, "writer")
	go func() {
		err := cacheaside.Invalidate(ctx, a.region, rowKey)
		f.tell(func() { f.invalidated(a, err) })
	}()
}

// mark notes that the loads of an actor that run are older than an invalidation that its process knows of.
func (f *Fills) mark(a *actor) {
	a.marks++
	for _, l := range f.loads {
		if l.actor == a && !l.returned {
			l.marked = true
		}
	}
}
