package live

import (
	"runtime"
	"runtime/metrics"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/cacheaside"
)

const peakEvery = 50 * time.Millisecond

// peaks are the most there was of something, seen every 50 ms.
type peaks struct {
	goroutines int
	heap       uint64
	overdue    int // loads, of readers on this library
}

// watch looks until it is stopped.
type watch struct {
	quit chan struct{}
	seen chan peaks
}

func watchPeaks(reader contender.Reader) watch {
	w := watch{make(chan struct{}), make(chan peaks, 1)}
	go w.look(reader)
	return w
}

func (w watch) stop() peaks {
	close(w.quit)
	return <-w.seen
}

func (w watch) look(reader contender.Reader) {
	insight, _ := reader.(interface{ Stats() cacheaside.Stats })
	heap := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	ticker := time.NewTicker(peakEvery)
	defer ticker.Stop()
	var most peaks
	for {
		most.goroutines = max(most.goroutines, runtime.NumGoroutine())
		metrics.Read(heap)
		most.heap = max(most.heap, heap[0].Value.Uint64())
		if insight != nil {
			most.overdue = max(most.overdue, insight.Stats().OverdueLoads)
		}
		select {
		case <-ticker.C:
		case <-w.quit:
			w.seen <- most
			return
		}
	}
}
