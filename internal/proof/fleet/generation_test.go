package fleet_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/internal/redistest"
	"github.com/cacheaside/resilience/redisadapter"
)

const generationAge = 50 * time.Millisecond

func inGenerations(cfg redisadapter.Config[string, string]) redisadapter.Config[string, string] {
	cfg.GenerationAge = generationAge
	return cfg
}

// row is a source with one row.
type row struct{ value atomic.Value }

func (r *row) load(context.Context, string) cacheaside.SourceOutcome[string] {
	value, _ := r.value.Load().(string)
	return cacheaside.Loaded(value, "")
}

func wantGet(t *testing.T, region *cacheaside.Region[string, string], load cacheaside.Loader[string, string], status cacheaside.Status, value string) {
	t.Helper()
	result, err := cacheaside.Get(context.Background(), region, "key", load)
	if err != nil || result.Status != status || result.Value != value {
		t.Fatalf("got %v %q %v, want %v %q", result.Status, result.Value, err, status, value)
	}
}

func TestNothingFromBeforeARegionWasInvalidatedIsServedAfterwards(t *testing.T) {
	server := redistest.Start(t, redistest.Options{})
	for name, fenced := range map[string]bool{"local": false, "fleet": true} {
		t.Run(name, func(t *testing.T) {
			policy := cacheaside.BalancedPolicy()
			if fenced {
				policy = fleetPolicy()
			}
			cfg := inGenerations(redisConfig(fenced))
			f := onCaches(t, policy, openCache(t, server, cfg), openCache(t, server, cfg))
			source := &row{}
			source.value.Store("v1")
			wantGet(t, f.regions[0], source.load, cacheaside.StatusLoaded, "v1")
			wantGet(t, f.regions[1], source.load, cacheaside.StatusFresh, "v1")
			source.value.Store("v2")
			if err := cacheaside.InvalidateRegion(context.Background(), f.regions[0]); err != nil {
				t.Fatal(err)
			}
			wantGet(t, f.regions[0], source.load, cacheaside.StatusLoaded, "v2")
			<-time.After(2 * generationAge)
			wantGet(t, f.regions[1], source.load, cacheaside.StatusFresh, "v2")
		})
	}
}

func TestALoadFromBeforeARegionWasInvalidatedIsNotReadInTheNewGeneration(t *testing.T) {
	server := redistest.Start(t, redistest.Options{})
	for name, fenced := range map[string]bool{"local": false, "fleet": true} {
		t.Run(name, func(t *testing.T) {
			policy := cacheaside.BalancedPolicy()
			if fenced {
				policy = fleetPolicy()
			}
			cfg := inGenerations(redisConfig(fenced))
			f := onCaches(t, policy, openCache(t, server, cfg), openCache(t, server, cfg))
			begun, release := make(chan struct{}), make(chan struct{})
			slow := make(chan error, 1)
			go func() {
				_, err := cacheaside.Get(context.Background(), f.regions[1], "key", func(context.Context, string) cacheaside.SourceOutcome[string] {
					close(begun)
					<-release
					return cacheaside.Loaded("v1", "")
				})
				slow <- err
			}()
			<-begun
			if err := cacheaside.InvalidateRegion(context.Background(), f.regions[0]); err != nil {
				t.Fatal(err)
			}
			close(release)
			if err := <-slow; err != nil {
				t.Fatal(err)
			}
			source := &row{}
			source.value.Store("v2")
			wantGet(t, f.regions[0], source.load, cacheaside.StatusLoaded, "v2")
		})
	}
}

func TestARegionWithoutGenerationsCannotBeInvalidated(t *testing.T) {
	server := redistest.Start(t, redistest.Options{})
	f := onRedis(t, server, 1, fleetPolicy())
	if err := cacheaside.InvalidateRegion(context.Background(), f.regions[0]); !errors.Is(err, cacheaside.ErrCannotInvalidateRegion) {
		t.Fatalf("got %v", err)
	}
}
