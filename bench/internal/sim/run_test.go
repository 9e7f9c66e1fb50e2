package sim_test

import (
	"testing"
	"time"

	"github.com/cacheaside/resilience/bench/internal/bubble"
	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/measure"
	"github.com/cacheaside/resilience/bench/internal/sim"
)

func TestTry(t *testing.T) {
	for _, c := range contender.All() {
		t.Run(c.ID, func(t *testing.T) {
			setup := sim.Default(1)
			setup.Length = 120 * time.Second
			setup.Trigger = measure.Trigger{From: 10 * time.Second, To: 20 * time.Second}
			setup.SourceFaults = []sim.SourceFault{{From: 10 * time.Second, To: 20 * time.Second, Slower: 10}}
			begun := time.Now()
			run, err := sim.Run(t.Context(), bubble.Of(t), setup, c, nil)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%s goodput %.3f recovery %.1f lost %.1f calls %d out %d peak %d hit %.3f ops %.2f p50 %.1f p99 %.1f took %v end %v reasons %v", c.ID, run.Goodput, run.RecoverySeconds, run.LostAreaSeconds, run.SourceCalls, run.SourceOutstanding, run.CallersPeak, run.HitRatio, run.StoreOperations, run.Latency.P50, run.Latency.P99, time.Since(begun), run.Endings, run.Reasons)
			for i := 0; i < len(run.Seconds); i += 10 {
				t.Logf("%d %+v %.3f", i, run.Seconds[i], run.Seconds[i].Goodput())
			}
		})
	}
}
