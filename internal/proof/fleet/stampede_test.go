package fleet_test

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/internal/redistest"
)

func wantOneLoad(t *testing.T, f *fleet, calls *atomic.Int64, results []cacheaside.Result[string]) {
	t.Helper()
	if got := calls.Load(); got != 1 {
		t.Errorf("%d calls of the source, want 1", got)
	}
	applied := 0
	for i, result := range results {
		if result.Value != "value" {
			t.Fatalf("caller %d got %v %q", i, result.Status, result.Value)
		}
		if result.Record.Certainty == cacheaside.RecordApplied {
			applied++
		}
	}
	if applied == 0 {
		t.Error("nobody was told of the record")
	}
}

func TestAThousandCallersInFourProcessesLoadAColdKeyOnce(t *testing.T) {
	policy := fleetPolicy()
	t.Run("memory", func(t *testing.T) {
		var calls atomic.Int64
		f := inMemory(t, 4, policy)
		wantOneLoad(t, f, &calls, f.stampede(250, "key", counted(&calls, 50*time.Millisecond)))
	})
	t.Run("redis", func(t *testing.T) {
		server := redistest.Start(t, redistest.Options{})
		var calls atomic.Int64
		f := onRedis(t, server, 4, policy)
		wantOneLoad(t, f, &calls, f.stampede(250, "key", counted(&calls, 50*time.Millisecond)))
	})
}
