package sim

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cacheaside/resilience/bench/internal/bubble"
	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/measure"
	"github.com/cacheaside/resilience/bench/internal/result"
	"github.com/cacheaside/resilience/bench/internal/workload"
	"github.com/cacheaside/resilience/cacheaside"
)

// Run makes one run and gives its figures. When ctx ends, users stop coming, and the run is marked as interrupted. progress, which may be nil, is
// told the part of the run that is over; it is called from within the bubble and must not wait.
func Run(ctx context.Context, bubbles bubble.Bubbles, setup Setup, c contender.Contender, progress func(part float64)) (result.Run, error) {
	var figures result.Run
	var err error
	stuck := bubbles.Run(func() {
		var w *world
		if w, err = open(setup, c); err != nil {
			return
		}
		interrupted := w.play(ctx, progress)
		lasted := time.Since(w.zero) // before those who still wait are waited for
		w.source.release()
		w.callers.Wait()
		err = w.close()
		figures = w.counts.Tally().Figures(setup.Trigger, lasted)
		figures.Interrupted = interrupted
		if len(w.extra) > 0 {
			figures.Extra = w.extra
		}
	})
	figures.Contender, figures.Name, figures.Nodes = c.ID, c.Name, setup.Nodes
	return figures, errors.Join(err, stuck)
}

// world is one run under way.
type world struct {
	setup   Setup
	zero    time.Time // the end of the warm-up
	counts  *measure.Collector
	source  *source
	server  *server
	queue   *queue
	nodes   []*node
	alarms  []*time.Timer
	fault   atomic.Pointer[error] // of an alarm
	callers sync.WaitGroup

	mu      sync.Mutex
	extra   map[string]float64
	created map[uint64]time.Time
	grants  map[int64]float64 // that were asked for, by second
}

// node is one process of the service.
type node struct {
	reader  contender.Reader
	breaker *breaker
	process *process
}

func open(setup Setup, c contender.Contender) (*world, error) {
	zero := time.Now().Add(setup.WarmUp)
	w := &world{setup: setup, zero: zero, counts: measure.New(zero, setup.Deadline), queue: new(queue), extra: make(map[string]float64), created: make(map[uint64]time.Time), grants: make(map[int64]float64)}
	w.source = newSource(setup, zero, w.counts)
	var err error
	if w.server, err = newServer(setup, c.Fenced); err != nil {
		return nil, err
	}
	w.server.prefill(c.Library)
	w.schedule()
	for number := range setup.Nodes {
		n, err := w.openNode(number, c)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.ID, err)
		}
		w.nodes = append(w.nodes, n)
	}
	for _, f := range setup.StoreFaults {
		if f.Kind >= Flush {
			w.alarms = append(w.alarms, time.AfterFunc(time.Until(zero.Add(f.From)), func() { w.strike(f.Kind) }))
		}
	}
	return w, nil
}

func (w *world) strike(kind StoreFaultKind) {
	err := error(nil)
	if kind == Failover {
		err = w.server.failover()
	} else {
		err = w.server.reset()
	}
	if err != nil {
		w.fault.Store(&err)
	}
}

func (w *world) openNode(number int, c contender.Contender) (*node, error) {
	way := link{
		seed: w.setup.Seed + uint64(number), model: w.setup.Store, faults: w.setup.StoreFaults, zero: w.zero, counts: w.counts,
		process: new(process), queue: w.queue,
	}
	b := &breaker{probe: func(ctx context.Context) error {
		_, err := way.trip(ctx, lookupTimeout, tripNumber(0, 'p'))
		return err
	}}
	reader, err := c.Open(contender.Node{
		Number: number, Source: w.source, Store: client{way, w.server}, Cache: port{way, w.server, b, w, new(blind)}, TTL: w.setup.TTL, Policy: w.setup.Policy,
		Names: names{w.setup.Seed, number},
		Random: func() float64 {
			return workload.Uniform(w.setup.Seed, workload.Dice, uint64(time.Now().UnixNano())+uint64(number))
		},
	})
	return &node{reader, b, way.process}, err
}

// play lets users come until the run is over, and tells whether it was cut short.
func (w *world) play(ctx context.Context, progress func(float64)) (interrupted bool) {
	whole := w.setup.WarmUp + w.setup.Length
	begun := w.zero.Add(-w.setup.WarmUp)
	stopWriter := w.write()
	defer stopWriter()
	stopWatch := w.look()
	defer stopWatch()
	end := w.zero.Add(w.setup.Length)
	next, told := begun, 0
	for request := uint64(0); ; request++ {
		gap := workload.Exponential(workload.Uniform(w.setup.Seed, workload.Arrivals, request)) / w.setup.Rate
		if gap >= end.Sub(next).Seconds() {
			time.Sleep(time.Until(end)) // the run is over when its time is, not when its last user has come
			return false
		}
		next = next.Add(time.Duration(gap * float64(time.Second)))
		intended := next
		part := float64(intended.Sub(begun)) / float64(whole)
		if seconds := int(intended.Sub(begun) / time.Second); seconds > told {
			told = seconds
			if progress != nil {
				progress(part)
			}
			if ctx.Err() != nil {
				return true
			}
		}
		time.Sleep(time.Until(intended))
		key := w.keyOf(request, part)
		n := w.nodes[int(float64(len(w.nodes))*workload.Uniform(w.setup.Seed, workload.Balance, request))]
		w.callers.Go(func() { w.user(n, key, intended) })
	}
}

func (w *world) keyOf(request uint64, part float64) uint64 {
	if w.setup.KeyOf != nil {
		return w.setup.KeyOf(request)
	}
	key := w.setup.Keys.Key(workload.Uniform(w.setup.Seed, workload.Keys, request))
	return w.setup.Churn.Now(w.setup.Seed, key, part)
}

// user asks until there is an answer, or it has tried often enough. What it asked for is good if any of its calls was answered within the deadline
// of the first, which only the calls after a quick failure can be.
func (w *world) user(n *node, key uint64, intended time.Time) {
	began := intended
	for try := 1; ; try++ {
		answer, good := w.call(n, key, began)
		again := answer.Ending == contender.TimedOut ||
			w.setup.RetryFailures && (answer.Ending == contender.Failed || answer.Ending == contender.Rejected)
		if !again || try >= w.setup.Tries {
			w.counts.Request(intended, good && time.Since(intended) <= w.setup.Deadline)
			return
		}
		began = time.Now()
	}
}

func (w *world) call(n *node, key uint64, began time.Time) (answer contender.Answer, inTime bool) {
	ctx, cancel := context.WithDeadline(context.Background(), began.Add(w.setup.Deadline))
	defer cancel()
	attempt := w.counts.Begin(key, began)
	answer = n.reader.Get(ctx, key)
	w.watch(key, began, answer)
	return answer, w.counts.End(attempt, answer, time.Now())
}

// look takes the figures of each second that no event tells, from its beginning on, and gives the function that ends it.
func (w *world) look() (stop func()) {
	stopped := make(chan struct{})
	w.callers.Go(func() {
		every := time.NewTicker(time.Second)
		defer every.Stop()
		for {
			w.source.tellLevel()
			w.lookAtNodes()
			select {
			case <-stopped:
				return
			case <-every.C:
			}
		}
	})
	return func() { close(stopped) }
}

// lookAtNodes takes the figures that only a look from outside gives.
func (w *world) lookAtNodes() {
	overdue := 0
	for _, n := range w.nodes {
		if region, ok := n.reader.(interface{ Stats() cacheaside.Stats }); ok {
			overdue += region.Stats().OverdueLoads
		}
	}
	if overdue > 0 {
		w.note(func() { w.raise(Overdue, float64(overdue)) })
	}
}

// write changes rows at the source and invalidates them, and gives the function that ends it.
func (w *world) write() (stop func()) {
	if w.setup.Writes == 0 {
		return func() {}
	}
	stopped := make(chan struct{})
	w.callers.Go(func() {
		for n := uint64(0); ; n++ {
			gap := workload.Exponential(workload.Uniform(w.setup.Seed, workload.Writes, n)) / w.setup.Writes
			wait := time.NewTimer(time.Duration(gap * float64(time.Second)))
			select {
			case <-stopped:
				wait.Stop()
				return
			case <-wait.C:
			}
			key := w.setup.Keys.Key(workload.Uniform(w.setup.Seed, workload.Written, n))
			if w.setup.Absent == nil || !w.setup.Absent(key) {
				w.callers.Go(func() { w.change(w.nodes[n%uint64(len(w.nodes))], key) })
			}
		}
	})
	return func() { close(stopped) }
}

func (w *world) change(n *node, key uint64) {
	version := w.source.write(key)
	ctx, cancel := context.WithTimeout(context.Background(), w.setup.Deadline)
	defer cancel()
	if n.reader.Invalidate(ctx, key) == nil {
		w.counts.Settled(key, version)
	}
}

// closeLimit is how long readers are given to end what they began; only loads that hang need it.
const closeLimit = time.Hour

// drain is longer than any command of a plain contender takes: nobody waits for the loads of a detached flight, its reader included.
const drain = 2*readTimeout + 5*time.Second

// close ends everything, once no caller is left.
func (w *world) close() error {
	for _, alarm := range w.alarms {
		alarm.Stop()
	}
	w.source.end()
	time.Sleep(drain)
	ctx, cancel := context.WithTimeout(context.Background(), closeLimit)
	defer cancel()
	for _, n := range w.nodes {
		n.breaker.end()
		if err := n.reader.Close(ctx); err != nil {
			return fmt.Errorf("the reader of a node did not close: %w", err)
		}
	}
	if err := w.fault.Load(); err != nil {
		return *err
	}
	return nil
}
