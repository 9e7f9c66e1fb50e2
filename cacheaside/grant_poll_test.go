package cacheaside_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

func TestAGrantThatMayHaveBeenGivenIsGivenBackByItsRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache := &fencedScript{grant: func(int, string) cacheaside.Grant { return cacheaside.Grant{Kind: cacheaside.GrantIndeterminate} }}
		o := get(context.Background(), newRegion(t, cache, inFleet()), "key", returning(cacheaside.Loaded("value", "")))
		wantValue(t, o, cacheaside.StatusLoaded, "value")
		synctest.Wait()
		if _, fills, _ := cache.counts(); fills != 0 {
			t.Errorf("%d fills without a grant", fills)
		}
		if len(cache.released) != 1 || len(cache.requests) != 1 || cache.released[0] != (cacheaside.Fence{Request: cache.requests[0]}) {
			t.Errorf("given back is %x, want the request without a token of %x", cache.released, cache.requests)
		}
	})
}

// TestAGrantIsAskedForAgainAsSoonAsTheOtherOneIsOver has the wait between two questions grown to its longest when little is left of the other's grant.
func TestAGrantIsAskedForAgainAsSoonAsTheOtherOneIsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const polls, left = 10, 5 * time.Millisecond
		var asked []time.Time
		cache := &fencedScript{grant: func(number int, _ string) cacheaside.Grant {
			asked = append(asked, time.Now())
			switch {
			case number < polls:
				return heldFor(time.Hour)
			case number == polls:
				return heldFor(left)
			}
			return granted()
		}}
		o := get(context.Background(), newRegion(t, cache, inFleet(heldWait(time.Minute))), "key", returning(cacheaside.Loaded("value", "")))
		wantValue(t, o, cacheaside.StatusLoaded, "value")
		if len(asked) != polls+1 {
			t.Fatalf("asked %d times, want %d", len(asked), polls+1)
		}
		if before := asked[polls-1].Sub(asked[polls-2]); before < 50*time.Millisecond {
			t.Errorf("the wait has grown to %v, want half of 100ms at least", before)
		}
		if waited := asked[polls].Sub(asked[polls-1]); waited < left || waited > left+time.Millisecond {
			t.Errorf("asked again %v after %v were left of the other's grant", waited, left)
		}
	})
}
