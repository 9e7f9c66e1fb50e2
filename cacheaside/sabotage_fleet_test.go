package cacheaside_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

func wantReleases(t *testing.T, cache *fencedScript, want int) {
	t.Helper()
	synctest.Wait()
	if _, _, releases := cache.counts(); releases != want {
		t.Fatalf("a grant was given back %d times, want %d", releases, want)
	}
}

func TestALoadWithoutAGrantIsAnsweredAndNeverStored(t *testing.T) {
	for _, kind := range []cacheaside.GrantKind{cacheaside.GrantUnavailable, cacheaside.GrantIndeterminate} {
		synctest.Test(t, func(t *testing.T) {
			cache := &fencedScript{grant: func(int, string) cacheaside.Grant { return cacheaside.Grant{Kind: kind, Err: errors.New("down")} }}
			o := get(context.Background(), newRegion(t, cache, inFleet()), "key", returning(cacheaside.Loaded("value", "")))
			wantValue(t, o, cacheaside.StatusLoaded, "value")
			synctest.Wait()
			if _, fills, _ := cache.counts(); fills != 0 || o.result.Record.Reason != cacheaside.RecordUnfenced {
				t.Fatalf("%v: %d fills, told as %v", kind, fills, o.result.Record.Reason)
			}
		})
	}
}

func TestAFailedLoadGivesItsGrantBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache := &fencedScript{}
		get(context.Background(), newRegion(t, cache, inFleet()), "key", returning(cacheaside.TransientFailure[string]("down", nil)))
		wantReleases(t, cache, 1)
	})
}

func TestALoadThatPanickedGivesItsGrantBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache := &fencedScript{}
		o := get(context.Background(), newRegion(t, cache, inFleet()), "key", func(context.Context, string) cacheaside.SourceOutcome[string] {
			panic("broken")
		})
		if o.panicked == nil {
			t.Fatal("no panic came out")
		}
		wantReleases(t, cache, 1)
	})
}

func TestAnAdmissionTimeoutGivesTheGrantBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache := &fencedScript{}
		region := newRegion(t, cache, inFleet(func(p *cacheaside.Policy) {
			p.SourceConcurrency, p.MaxOverduePerKey, p.AdmissionWait, p.LoadDeadline = 1, 1, time.Second, time.Minute
		}))
		gate := newGate(cacheaside.Loaded("value", ""))
		first := goGet(context.Background(), region, "first", gate.load)
		synctest.Wait()
		wantRejected(t, get(context.Background(), region, "second", mustNotLoad(t)), cacheaside.ReasonAdmissionTimeout)
		wantReleases(t, cache, 1)
		close(gate.open)
		<-first
	})
}

func TestAGrantIsKeptForALoaderThatOutlivesItsDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache := &fencedScript{}
		region := newRegion(t, cache, inFleet())
		gate := newGate(cacheaside.TransientFailure[string]("down", nil))
		gate.ignoresContext = true
		wantRejected(t, get(context.Background(), region, "key", gate.load), cacheaside.ReasonLoadDeadline)
		wantReleases(t, cache, 0)
		close(gate.open)
		wantReleases(t, cache, 1)
	})
}

func TestAKeyThatWasFilledMeanwhileIsLookedUpAgainAndNotLoaded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache := &fencedScript{grant: func(int, string) cacheaside.Grant { return cacheaside.Grant{Kind: cacheaside.GrantAlreadyFilled} }}
		cache.lookup = func(context.Context, string) cacheaside.Lookup[string] {
			if requests, _, _ := cache.counts(); requests == 0 {
				return missing()
			}
			return fresh("filled")
		}
		o := get(context.Background(), newRegion(t, cache, inFleet()), "key", mustNotLoad(t))
		wantValue(t, o, cacheaside.StatusFresh, "filled")
	})
}

func TestAGrantLivesAsLongAsItsLoadAndItsRecordMayTake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache := &fencedScript{}
		region := newRegion(t, cache, inFleet(func(p *cacheaside.Policy) { p.AdmissionWait, p.LoadDeadline = 2*time.Second, 30*time.Second }))
		get(context.Background(), region, "key", returning(cacheaside.Loaded("value", "")))
		if len(cache.leases) != 1 || cache.leases[0] < 33*time.Second {
			t.Fatalf("asked for grants of %v, and a load may take 32s until it is recorded", cache.leases)
		}
	})
}
