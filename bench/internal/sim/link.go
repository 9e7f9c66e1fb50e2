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
}

// StoreFaultKind is what is wrong with the store.
type StoreFaultKind uint8

// The store refuses connections; swallows what is sent to it; answers in 200 ms in the middle of many; forgets everything at From; or is replaced
// at From by a replica that lacks the last 100 ms of writes.
const (
	Refuse StoreFaultKind = iota + 1
	BlackHole
	Slow
	Flush
	Failover
)

const (
	slowTrip       = 200 * time.Millisecond // the median
	slowSigma      = 0.3
	replicationLag = 100 * time.Millisecond
)

// StoreFault is what is wrong from From on and before To; of Flush and Failover, which happen at From, To says nothing.
type StoreFault struct {
	Kind     StoreFaultKind
	From, To time.Duration
}

var (
	errRefused = errors.New("store: connection refused")
	errNoReply = errors.New("store: no reply in time")
)

// link is a node's connection to the store.
type link struct {
	seed   uint64
	model  StoreModel
	faults []StoreFault
	zero   time.Time
	counts *measure.Collector
}

// trip takes the time of one command, at most limit and not beyond the end of ctx. sent tells whether the server has the command where there is an
// error; n numbers the trip.
func (l link) trip(ctx context.Context, limit time.Duration, n uint64) (sent bool, err error) {
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
	case Refuse, Flush, Failover:
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
		return kind == Slow, errNoReply
	}
	return true, nil
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
