package fleet_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/cacheaside/memory"
	"github.com/cacheaside/resilience/internal/redistest"
)

// orderedFleets are two processes each on a cache with ordered revisions.
func orderedFleets(t *testing.T) map[string]*fleet {
	t.Helper()
	cache, err := memory.New(memory.Config[string, string]{
		TTL:        memory.TTL{Soft: time.Minute, Hard: time.Hour, Negative: time.Minute},
		MaxEntries: 100, Fenced: true, OrderedRevisions: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	server := redistest.Start(t, redistest.Options{})
	cfg := redisConfig(true)
	cfg.OrderedRevisions = true
	return map[string]*fleet{
		"memory": onCaches(t, fleetPolicy(), cache, cache),
		"redis":  onCaches(t, fleetPolicy(), openCache(t, server, cfg), openCache(t, server, cfg)),
	}
}

func put(t *testing.T, region *cacheaside.Region[string, string], value string, revision cacheaside.Revision) {
	t.Helper()
	if err := cacheaside.Put(context.Background(), region, "key", value, revision); err != nil {
		t.Fatal(err)
	}
}

func nothing(context.Context, string) cacheaside.SourceOutcome[string] {
	return cacheaside.PermanentFailure[string]("unexpected", nil)
}

func TestOfTwoWritersTheLaterRevisionStaysWhicheverComesLast(t *testing.T) {
	for name, f := range orderedFleets(t) {
		t.Run(name, func(t *testing.T) {
			put(t, f.regions[0], "v2", "000002")
			put(t, f.regions[1], "v1", "000001")
			wantGet(t, f.regions[1], nothing, cacheaside.StatusFresh, "v2")
			put(t, f.regions[1], "v3", "000003")
			wantGet(t, f.regions[0], nothing, cacheaside.StatusFresh, "v3")
		})
	}
}

func TestAnOlderRevisionDoesNotComeBackBehindAnInvalidation(t *testing.T) {
	for name, f := range orderedFleets(t) {
		t.Run(name, func(t *testing.T) {
			put(t, f.regions[0], "v2", "000002")
			if err := cacheaside.Invalidate(context.Background(), f.regions[0], "key"); err != nil {
				t.Fatal(err)
			}
			put(t, f.regions[1], "v1", "000001")
			source := &row{}
			source.value.Store("v3")
			wantGet(t, f.regions[1], source.load, cacheaside.StatusLoaded, "v3")
		})
	}
}

func TestAFillInFlightIsRefusedByAPut(t *testing.T) {
	for name, f := range orderedFleets(t) {
		t.Run(name, func(t *testing.T) {
			begun, release := make(chan struct{}), make(chan struct{})
			got := make(chan cacheaside.Result[string], 1)
			go func() {
				result, _ := cacheaside.Get(context.Background(), f.regions[0], "key", func(context.Context, string) cacheaside.SourceOutcome[string] {
					close(begun)
					<-release
					return cacheaside.Loaded("v1", "000001")
				})
				got <- result
			}()
			<-begun
			put(t, f.regions[1], "v2", "000002")
			close(release)
			if result := <-got; result.Value != "v1" || result.Record.Reason != cacheaside.RecordSuperseded {
				t.Fatalf("got %v %q, recorded as %v %v", result.Status, result.Value, result.Record.Certainty, result.Record.Reason)
			}
			wantGet(t, f.regions[0], nothing, cacheaside.StatusFresh, "v2")
		})
	}
}

func TestALoadFromALaggingReplicaDoesNotReplaceANewerRevision(t *testing.T) {
	for name, f := range orderedFleets(t) {
		t.Run(name, func(t *testing.T) {
			put(t, f.regions[0], "v2", "000002")
			if err := cacheaside.Invalidate(context.Background(), f.regions[0], "key"); err != nil {
				t.Fatal(err)
			}
			result, err := cacheaside.Get(context.Background(), f.regions[1], "key", func(context.Context, string) cacheaside.SourceOutcome[string] {
				return cacheaside.Loaded("v1", "000001")
			})
			if err != nil || result.Record.Reason != cacheaside.RecordOlderRevision {
				t.Fatalf("%v, recorded as %v %v", err, result.Record.Certainty, result.Record.Reason)
			}
		})
	}
}

func TestPutIsRefusedWhereRevisionsHaveNoOrder(t *testing.T) {
	f := inMemory(t, 1, fleetPolicy())
	if err := cacheaside.Put(context.Background(), f.regions[0], "key", "v", "1"); !errors.Is(err, cacheaside.ErrCannotPut) {
		t.Fatalf("got %v", err)
	}
	for _, f := range orderedFleets(t) {
		var fault *cacheaside.FieldError
		if err := cacheaside.Put(context.Background(), f.regions[0], "key", "v", ""); !errors.As(err, &fault) || fault.Field != "revision" {
			t.Fatalf("got %v", err)
		}
	}
}
