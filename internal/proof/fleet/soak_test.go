package fleet_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/cacheaside/memory"
	"github.com/cacheaside/resilience/internal/redistest"
)

// table is a source of a few rows, each with the version that the last completed invalidation announced.
type table struct{ rows, floors [3]atomic.Int64 }

func (s *table) load(_ context.Context, key string) cacheaside.SourceOutcome[string] {
	row, _ := strconv.Atoi(key)
	value := s.rows[row].Load()
	<-time.After(time.Duration(rand.IntN(3000)) * time.Microsecond) //nolint:gosec // luck
	return cacheaside.Loaded(strconv.FormatInt(value, 10), "")
}

func (s *table) update(region *cacheaside.Region[string, string], row int) error {
	version := s.rows[row].Add(1)
	if err := cacheaside.Invalidate(context.Background(), region, strconv.Itoa(row)); err != nil {
		return err
	}
	for floor := s.floors[row].Load(); floor < version && !s.floors[row].CompareAndSwap(floor, version); floor = s.floors[row].Load() {
	}
	return nil
}

// read fails on a value that an invalidation had overtaken before it was asked for.
func (s *table) read(region *cacheaside.Region[string, string], row int) error {
	floor := s.floors[row].Load()
	result, err := cacheaside.Get(context.Background(), region, strconv.Itoa(row), s.load)
	if err != nil {
		return err
	}
	if version, err := strconv.ParseInt(result.Value, 10, 64); err != nil || version < floor {
		return fmt.Errorf("%q is %v after an invalidation of %d: %w", result.Value, result.Status, floor, err)
	}
	return nil
}

func soak(t *testing.T, f *fleet, reads int) {
	t.Helper()
	const readers, writers = 4, 2
	source, done := &table{}, make(chan struct{})
	var reading, writing sync.WaitGroup
	for i := range writers {
		writing.Go(func() {
			for n := i; ; n++ {
				select {
				case <-done:
					return
				case <-time.After(time.Duration(rand.IntN(2000)) * time.Microsecond): //nolint:gosec // luck
				}
				if err := source.update(f.regions[n%len(f.regions)], rand.IntN(len(source.rows))); err != nil { //nolint:gosec // luck
					t.Error(err)
				}
			}
		})
	}
	for _, region := range f.regions {
		for range readers {
			reading.Go(func() {
				for range reads {
					if err := source.read(region, rand.IntN(len(source.rows))); err != nil { //nolint:gosec // luck
						t.Error(err)
						return
					}
				}
			})
		}
	}
	reading.Wait()
	close(done)
	writing.Wait()
}

// TestNobodyIsAnsweredWithWhatWasInvalidatedBeforeTheyAsked has processes that read, load and invalidate at once, as fast as they can.
func TestNobodyIsAnsweredWithWhatWasInvalidatedBeforeTheyAsked(t *testing.T) {
	t.Parallel()
	reads := amount(t, "FLEET_SOAK_READS", 80)
	policy := fleetPolicy()
	policy.ServeStale.OnHeld = true
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		cache, err := memory.New(memory.Config[string, string]{
			TTL: memory.TTL{Soft: time.Minute, Hard: time.Hour, Negative: time.Minute}, MaxEntries: 100, Fenced: true,
		})
		if err != nil {
			t.Fatal(err)
		}
		soak(t, onCaches(t, policy, cache, cache, cache), reads)
	})
	t.Run("redis", func(t *testing.T) {
		t.Parallel()
		soak(t, onRedis(t, redistest.Start(t, redistest.Options{}), 3, policy), reads)
	})
}
