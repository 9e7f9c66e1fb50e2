package cacheaside_test

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/cacheaside/resilience/cacheaside"
)

// generational is a scripted cache that has generations.
type generational struct{ scripted }

func (*generational) Generations() bool { return true }

func (*generational) InvalidateRegion(context.Context) cacheaside.RecordOutcome {
	return cacheaside.RecordOutcome{Certainty: cacheaside.RecordApplied}
}

func TestACallerOfANewerGenerationDoesNotJoinAnOlderLoad(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		generation := cacheaside.Generation(1)
		cache := &generational{}
		cache.lookup = func(context.Context, string) cacheaside.Lookup[string] {
			found := missing()
			found.Generation = generation
			return found
		}
		region := newRegion(t, cache)
		older := newGate(cacheaside.Loaded("old", ""))
		first := goGet(context.Background(), region, "key", older.load)
		synctest.Wait()
		generation = 2
		second := goGet(context.Background(), region, "key", returning(cacheaside.Loaded("new", "")))
		synctest.Wait()
		close(older.open)
		wantValue(t, <-first, cacheaside.StatusLoaded, "old")
		wantValue(t, <-second, cacheaside.StatusLoaded, "new")
	})
}

func TestALoadIsStoredAsOfTheGenerationThatItsLookupTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache := &generational{}
		found := missing()
		found.Generation = 7
		cache.lookup = always(found)
		get(context.Background(), newRegion(t, cache), "key", returning(cacheaside.Loaded("value", "")))
		synctest.Wait()
		if records := cache.records(); len(records) != 1 || records[0].entry.Generation != 7 {
			t.Fatalf("stored %+v", records)
		}
	})
}
