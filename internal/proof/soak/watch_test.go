package soak_test

import (
	"runtime"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/cacheaside"
)

// mostGoroutines is far above what so many callers, loads and connections need, and far below what one leaked for each call would come to.
const mostGoroutines = 3000

// watch looks at the gauges of every process until stop is closed.
func (w *world) watch(stop <-chan struct{}) {
	tick := time.NewTicker(3 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-stop:
			return
		case <-tick.C:
		}
		for i, p := range w.processes {
			p.checkGauges(p.region.Stats())
			w.ledger.checkPool(i, w.clients[i].PoolStats(), poolSize)
		}
		now := runtime.NumGoroutine()
		w.ledger.tell(func(s *summary) { s.mostGoroutines = max(s.mostGoroutines, now) })
		if now > mostGoroutines {
			w.ledger.breach(ruleGauges, "%d goroutines", now)
		}
	}
}

// checkGauges holds a region to the bounds of its policy.
func (p *process) checkGauges(s cacheaside.Stats) {
	for _, gauge := range []struct {
		name      string
		now, most int
	}{
		{"keys", s.InFlightKeys, p.policy.MaxInFlightKeys},
		{"waiters", s.Waiters, p.policy.MaxWaitersPerKey * p.policy.MaxInFlightKeys},
		{"loads", s.RunningLoads, p.policy.SourceConcurrency},
		{"overdue loads", s.OverdueLoads, s.RunningLoads},
		{"remembered failures", s.RememberedFailures, p.policy.MaxInFlightKeys},
	} {
		if gauge.now < 0 || gauge.now > gauge.most {
			p.ledger.breach(ruleGauges, "process %d: %d %s, at most %d", p.id, gauge.now, gauge.name, gauge.most)
		}
	}
	p.ledger.tell(func(sum *summary) {
		sum.mostKeys = max(sum.mostKeys, s.InFlightKeys)
		sum.mostWaiters = max(sum.mostWaiters, s.Waiters)
	})
}

// checkPool holds a client to the size of its pool.
func (l *ledger) checkPool(process int, stats *redis.PoolStats, size int) {
	if int(stats.TotalConns) > size {
		l.breach(rulePool, "process %d: %d connections, the pool has %d", process, stats.TotalConns, size)
	}
	l.tell(func(s *summary) { s.mostConnections = max(s.mostConnections, int(stats.TotalConns)) })
}
