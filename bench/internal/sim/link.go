package sim

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/cacheaside/resilience/bench/internal/measure"
	"github.com/cacheaside/resilience/bench/internal/workload"
)

// StoreModel is the way to the store and back.
type StoreModel struct {
	Trip time.Duration // there and back, on average; up to half as much again and as little as half
	// KeepsLog lets a failover lose what it would lose; it costs memory for every write.
	KeepsLog bool
	// MaxEntries is how many entries the store of the contenders on this library holds before it evicts the least recently used; 0 evicts none.
	MaxEntries int
	// Capacity is how many commands a second the store can answer, one after the other in the order of arrival; 0 = any number at once.
	Capacity float64
}

// StoreFaultKind is what is wrong with the store.
type StoreFaultKind uint8

// The store refuses connections; swallows what is sent to it; answers in 200 ms in the middle of many; forgets everything at From; is replaced at
// From by a replica that lacks the last 100 ms of writes; or starts anew at From, without its entries and the commands that are under way.
const (
	Refuse StoreFaultKind = iota + 1
	BlackHole
	Slow
	Flush
	Failover
	Restart
)

const (
	slowTrip       = 200 * time.Millisecond // the median
	slowSigma      = 0.3
	replicationLag = 100 * time.Millisecond
)

// StoreFault is what is wrong from From on and before To; of Flush, Failover and Restart, which happen at From, To says nothing.
type StoreFault struct {
	Kind     StoreFaultKind
	From, To time.Duration
}

var (
	errRefused = errors.New("store: connection refused")
	errNoReply = errors.New("store: no reply in time")
	errLost    = errors.New("store: connection lost")
)

// link is a node's connection to the store.
type link struct {
	seed   uint64
	model  StoreModel
	faults []StoreFault
	zero   time.Time
	counts *measure.Collector

	process *process // that it is of
	queue   *queue   // at the store, of all nodes
}

// trip takes the time of one command, at most limit and not beyond the end of ctx. sent tells whether the server has the command where there is an
// error; n numbers the trip.
func (l link) trip(ctx context.Context, limit time.Duration, n uint64) (sent bool, err error) {
	if err := l.process.awake(); err != nil {
		return false, err
	}
	now := time.Now()
	l.counts.StoreOperation(now)
	u := workload.Uniform(l.seed, workload.Network, n)
	takes := time.Duration(float64(l.model.Trip) * (0.5 + u))
	kind := l.wrong(now)
	switch kind {
	case Slow:
		mean := float64(slowTrip) * math.Exp(slowSigma*slowSigma/2)
		takes = time.Duration(workload.Lognormal(u, workload.Uniform(l.seed, workload.Faults, n), mean, slowSigma))
	case BlackHole:
		takes = limit + 1
	case Refuse, Flush, Failover, Restart:
	}
	if kind != Refuse && kind != BlackHole && l.model.Capacity > 0 {
		takes += l.queue.join(now, time.Duration(float64(time.Second)/l.model.Capacity))
	}
	timedOut := takes > limit
	timer := time.NewTimer(min(takes, limit))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return kind != BlackHole && kind != Refuse, ctx.Err()
	case <-timer.C:
	}
	switch {
	case kind == Refuse:
		return false, errRefused
	case timedOut:
		return kind != BlackHole, errNoReply
	case l.cut(now, time.Now()):
		return true, errLost
	}
	return true, nil
}

// cut tells whether the store was started anew while a command was under way.
func (l link) cut(from, to time.Time) bool {
	for _, f := range l.faults {
		if at := l.zero.Add(f.From); f.Kind == Restart && at.After(from) && !at.After(to) {
			return true
		}
	}
	return false
}

func (l link) wrong(now time.Time) StoreFaultKind {
	since := now.Sub(l.zero)
	for _, f := range l.faults {
		if since >= f.From && since < f.To && f.Kind < Flush {
			return f.Kind
		}
	}
	return 0
}
