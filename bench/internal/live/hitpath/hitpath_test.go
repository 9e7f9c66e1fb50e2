package hitpath_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/cacheaside/resilience/bench/internal/live/hitpath"
	"github.com/cacheaside/resilience/bench/internal/live/redisstore"
	"github.com/cacheaside/resilience/internal/redistest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestEachShapeIsMeasuredEachWay(t *testing.T) {
	server := redistest.Start(t, redistest.Options{})
	t.Run("local", func(t *testing.T) { eachShape(t, server, false, 6) }) // a raw value and an entry of each shape
	t.Run("fleet", func(t *testing.T) { eachShape(t, server, true, 9) })  // and a fence record
}

func eachShape(t *testing.T, server *redistest.Server, fenced bool, keys int64) {
	t.Helper()
	space := redisstore.New(server.URL())
	type way struct {
		shape      string
		goroutines int
		processor  bool
	}
	seen := make(map[way]bool)
	err := hitpath.Measure(t.Context(), space, fenced, 30*time.Millisecond, func(f hitpath.Figure) {
		seen[way{f.Shape, f.Goroutines, f.Processor}] = true
		if f.Reads < 64 || f.RawNanoseconds <= 0 || f.GetNanoseconds <= 0 || f.Ratio <= 0 || f.RawRatio <= 0 {
			t.Errorf("%+v", f)
		}
		if sizes := map[string][2]int{"200 B struct": {180, 220}, "10 KB struct": {9_800, 10_700}, "10 KB opaque": {10_240, 10_250}}[f.Shape]; f.Bytes < sizes[0] ||
			f.Bytes > sizes[1] {
			t.Errorf("a %s has %d bytes", f.Shape, f.Bytes)
		}
		if f.Goroutines == 1 && (f.ExtraAllocations < 0 || f.ExtraAllocations > 50) {
			t.Errorf("%s: %v allocations more", f.Shape, f.ExtraAllocations)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(seen) != hitpath.Figures {
		t.Errorf("%d figures, want %d different ones: %v", len(seen), hitpath.Figures, seen)
	}
	if swept, err := space.Sweep(t.Context()); err != nil || swept != keys {
		t.Errorf("%d keys are swept, %v; want %d", swept, err, keys)
	}
}

func TestAMissUnderLeasesSendsOneCommandMore(t *testing.T) {
	server := redistest.Start(t, redistest.Options{})
	got, err := hitpath.MeasureMiss(t.Context(), redisstore.New(server.URL()), 50*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	// The first of each script is sent twice, since the server does not know it.
	if more := got.FleetCommands - got.LocalCommands; got.LocalCommands < 2 || got.LocalCommands > 2.1 || more < 1 || more > 1.1 {
		t.Errorf("%v commands with leases and %v without, want three and two", got.FleetCommands, got.LocalCommands)
	}
	if got.Ratio <= 0 || got.RawRatio <= 0 || got.Reads < 64 {
		t.Errorf("%+v", got)
	}
}

func TestAMeasurementEndsWithItsContext(t *testing.T) {
	server := redistest.Start(t, redistest.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	figures := 0
	err := hitpath.Measure(ctx, redisstore.New(server.URL()), false, 10*time.Millisecond, func(hitpath.Figure) {
		figures++
		cancel()
	})
	if !errors.Is(err, context.Canceled) || figures != 1 {
		t.Errorf("%d figures and %v, want the one before the end", figures, err)
	}
}

func TestAReadingIsQuietWhereRawAgainstRawIsNearOne(t *testing.T) {
	t.Parallel()
	for ratio, want := range map[float64]bool{0.979: false, 0.98: true, 1: true, 1.02: true, 1.021: false} {
		if got := (hitpath.Reading{RawRatio: ratio}).Quiet(); got != want {
			t.Errorf("%v is quiet: %t, want %t", ratio, got, want)
		}
	}
}
