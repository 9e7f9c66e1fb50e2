package explore_test

import (
	"testing"
	"testing/synctest"

	"github.com/cacheaside/resilience/internal/proof/explore"
)

func TestParkedCallsAreNamedByWhoMakesThemAndHowOften(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var parking explore.Parking
		replies := make([]any, 3)
		for actor := range replies {
			go func() {
				for range 2 {
					replies[actor] = parking.Park(&explore.Parked{Actor: actor, Issuer: "get1", Kind: "lookup"})
				}
			}()
		}
		synctest.Wait()
		wantNames(t, &parking, "a0 get1 lookup1", "a1 get1 lookup1", "a2 get1 lookup1")

		first := parking.Waiting()[1]
		parking.Release(first, "one")
		parking.Release(first, "again, which is nothing")
		synctest.Wait()
		wantNames(t, &parking, "a0 get1 lookup1", "a1 get1 lookup2", "a2 get1 lookup1")
		if replies[1] != "one" {
			t.Errorf("the reply is %v", replies[1])
		}

		release := parking.Strand(parking.Waiting()[0])
		wantNames(t, &parking, "a1 get1 lookup2", "a2 get1 lookup1")
		parking.Close()
		synctest.Wait()
		if wantNames(t, &parking); replies[1] != nil || replies[2] != nil {
			t.Errorf("the replies after the end are %v", replies)
		}
		release()
		release()
	})
}

func wantNames(t *testing.T, parking *explore.Parking, want ...string) {
	t.Helper()
	calls := parking.Waiting()
	if len(calls) != len(want) {
		t.Fatalf("%d calls wait, want %d", len(calls), len(want))
	}
	for i, call := range calls {
		if call.Name() != want[i] {
			t.Errorf("call %d is %q, want %q", i, call.Name(), want[i])
		}
	}
}
