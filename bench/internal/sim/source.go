package sim

import (
	"context"
	"math"
	"sync"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/measure"
	"github.com/cacheaside/resilience/bench/internal/workload"
)

// SourceModel is a database or a provider: Workers loads at once, the rest in an unbounded queue, first come, first served.
type SourceModel struct {
	Workers int
	Mean    time.Duration // of one load; lognormal
	Sigma   float64       // standard deviation of its logarithm; 0 = always Mean
	// DropsAbandoned says that work ends when its caller leaves. Most do not.
	DropsAbandoned bool
}

// SourceFault is what is wrong with the source from From on and before To.
type SourceFault struct {
	From, To time.Duration
	Slower   float64                     // loads take so many times as long; 0 = as ever
	Capacity float64                     // the part of the workers that is left; 0 = all
	Errors   float64                     // the part of the loads that fail for the moment, after their work
	Down     bool                        // every load that begins fails at once; those under way end as ever
	Hangs    func(key, turn uint64) bool // loads that never return, whatever their context says, and take no worker; turn counts the key's loads from 0
}

// source is the model at work. No lock is held while anything waits.
type source struct {
	seed   uint64
	model  SourceModel
	faults []SourceFault
	absent func(uint64) bool
	counts *measure.Collector
	zero   time.Time     // faults count from here
	ended  chan struct{} // lets go of who waits
	ending sync.Once
	hung   chan struct{} // lets go of who waits for a load that hangs
	freed  sync.Once

	mu       sync.Mutex
	queue    []*load
	head     int
	waiting  int // of the queue, those that will be worked on
	working  int
	calls    map[uint64]uint64    // by key: how many loads have begun
	versions map[uint64]uint64    // of rows that were written; all others are at version 1
	told     map[uint64]time.Time // when a removed row was first said to be gone
	alarms   []*time.Timer
}

// load is one call that the source works on or will.
type load struct {
	ctx  context.Context
	key  uint64
	turn uint64 // how many loads of this key were before
	done chan struct{}
	row  contender.Row
	err  error

	begun, dropped bool // guarded by the source's mu
}

func newSource(setup Setup, zero time.Time, counts *measure.Collector) *source {
	s := &source{
		seed: setup.Seed, model: setup.Source, faults: setup.SourceFaults, absent: setup.Absent, counts: counts, zero: zero,
		ended: make(chan struct{}), hung: make(chan struct{}), calls: make(map[uint64]uint64), versions: make(map[uint64]uint64),
		told: make(map[uint64]time.Time),
	}
	for _, fault := range s.faults { // capacity that comes back is taken up at once
		s.alarms = append(s.alarms, time.AfterFunc(time.Until(zero.Add(fault.To)), s.serve))
	}
	return s
}

// release lets go of whoever waits for a load that hangs, as a process that ends does; from now on such loads fail at once.
func (s *source) release() { s.freed.Do(func() { close(s.hung) }) }

// end lets go of whoever waits for a load. Work in the queue is left where it is. It may be called again.
func (s *source) end() {
	s.release()
	s.ending.Do(func() { close(s.ended) })
	for _, alarm := range s.alarms {
		alarm.Stop()
	}
}

// write changes a row and gives its new version.
func (s *source) write(key uint64) uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.versions[key] = s.versionLocked(key) + 1
	delete(s.told, key) // it is there again
	return s.versions[key]
}

// remove takes a row away, without a word to anybody.
func (s *source) remove(key uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.versions[key] = 0
}

// saidGone tells whether a caller was told before the moment that a removed row is gone.
func (s *source) saidGone(key uint64, before time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	told, ever := s.told[key]
	return ever && told.Before(before)
}

func (s *source) versionLocked(key uint64) uint64 {
	if version, written := s.versions[key]; written {
		return version
	}
	if s.absent != nil && s.absent(key) {
		return 0
	}
	return 1
}

// Load is the driver's call. As drivers do, it sends nothing for a caller that has left before.
func (s *source) Load(ctx context.Context, key uint64) (contender.Row, error) {
	if err := ctx.Err(); err != nil {
		return contender.Row{}, err
	}
	now := time.Now()
	s.counts.SourceCall(now)
	fault := s.fault(now)
	l := &load{ctx: ctx, key: key, done: make(chan struct{}), turn: s.turn(key)}
	switch {
	case fault.Hangs != nil && fault.Hangs(key, l.turn):
		<-s.hung
		return contender.Row{}, contender.ErrSource
	case fault.Down:
		return contender.Row{}, contender.ErrSource
	}
	s.enqueue(l)
	s.serve()
	select {
	case <-l.done:
		return l.row, l.err
	case <-ctx.Done():
		s.abandon(l)
		return contender.Row{}, ctx.Err()
	case <-s.ended:
		return contender.Row{}, contender.ErrSource
	}
}

// abandon tells a source that drops such work that nobody waits for a load in its queue any more.
func (s *source) abandon(l *load) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.model.DropsAbandoned {
		s.dropLocked(l)
	}
}

func (s *source) dropLocked(l *load) {
	if !l.begun && !l.dropped {
		l.dropped = true
		s.waiting--
	}
}

func (s *source) turn(key uint64) uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	turn := s.calls[key]
	s.calls[key]++
	return turn
}

func (s *source) enqueue(l *load) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queue = append(s.queue, l)
	s.waiting++
}

// fault gives what is wrong now; the last of several that overlap counts.
func (s *source) fault(now time.Time) SourceFault {
	since := now.Sub(s.zero)
	for n := len(s.faults) - 1; n >= 0; n-- {
		if f := s.faults[n]; since >= f.From && since < f.To {
			return f
		}
	}
	return SourceFault{}
}

// serve lets free workers take what waits.
func (s *source) serve() {
	now := time.Now()
	fault := s.fault(now)
	workers := s.model.Workers
	if fault.Capacity > 0 {
		workers = max(1, int(math.Round(fault.Capacity*float64(workers))))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.working < workers && s.head < len(s.queue) {
		l := s.queue[s.head]
		s.queue[s.head] = nil
		s.head++
		if s.model.DropsAbandoned && l.ctx.Err() != nil {
			s.dropLocked(l)
			continue
		}
		l.begun = true
		s.waiting--
		s.working++
		s.beginLocked(l, fault, now)
	}
	if s.head > 1024 && s.head > len(s.queue)/2 {
		s.queue = append([]*load(nil), s.queue[s.head:]...)
		s.head = 0
	}
	s.counts.SourceLevel(now, s.working, s.working+s.waiting)
}

// tellLevel counts what there is at the moment, for seconds in which nothing begins or ends.
func (s *source) tellLevel() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counts.SourceLevel(time.Now(), s.working, s.working+s.waiting)
}

// beginLocked reads the row now, as a database reads before it sends, and lets the work end when it has taken its time.
func (s *source) beginLocked(l *load, fault SourceFault, now time.Time) {
	draw := workload.AtValue(s.seed, workload.Service, l.key<<24^l.turn)
	u := func() float64 { return float64(draw.Uint64()>>11) / (1 << 53) }
	takes := float64(s.model.Mean)
	if s.model.Sigma > 0 {
		takes = workload.Lognormal(u(), u(), takes, s.model.Sigma)
	}
	if fault.Slower > 0 {
		takes *= fault.Slower
	}
	switch version := s.versionLocked(l.key); {
	case u() < fault.Errors:
		l.err = contender.ErrSource
	case version == 0:
		l.err = contender.ErrNoRow
	default:
		l.row = contender.Row{Version: version, ReadAt: now.UnixMicro()}
	}
	if !s.model.DropsAbandoned {
		time.AfterFunc(time.Duration(takes), func() { s.finish(l) })
		return
	}
	finished := sync.OnceFunc(func() { s.finish(l) })
	timer := time.AfterFunc(time.Duration(takes), finished)
	context.AfterFunc(l.ctx, func() {
		if timer.Stop() {
			finished()
		}
	})
}

func (s *source) finish(l *load) {
	if l.ctx.Err() != nil {
		s.counts.SourceWasted(time.Now())
	}
	s.leave(l) // first, for the caller may call again at once
	close(l.done)
	s.serve()
}

func (s *source) leave(l *load) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.working--
	if version, written := s.versions[l.key]; written && version == 0 && l.err == contender.ErrNoRow && s.told[l.key].IsZero() {
		s.told[l.key] = time.Now()
	}
}
