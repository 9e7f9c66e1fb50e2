package live_test

import (
	"testing"
	"time"

	"github.com/cacheaside/resilience/bench/internal/live"
	"github.com/cacheaside/resilience/bench/internal/result"
)

func TestNobodyLoadsBesideTheGrantOfAKilledHolderAndTheFleetRecovers(t *testing.T) {
	t.Parallel()
	found := fleetPlay(t, "S13", live.Options{Contenders: these("P7", "P8"), Nodes: 3, Load: 100 * time.Millisecond})
	mustPass(t, found, "P7", "P8")
	judged := 0
	for _, check := range found.Checks {
		if check.Contender == "P8" && check.Verdict == result.Pass {
			judged++
		}
	}
	if judged != 5 {
		t.Errorf("%d checks of P8 have passed, want 5: two of each variant and one of the old value", judged)
	}
	cold, old := runOf(t, found, "P8", "a cold key"), runOf(t, found, "P8", "an old value is stored")
	if cold.Endings["timed out"] == 0 {
		t.Errorf("callers of a cold key end as %v, want some whose patience ends before the grant", cold.Endings)
	}
	if old.Endings["stale"] <= cold.Endings["stale"] {
		t.Errorf("callers end as %v where an old value is stored, and as %v of a cold key; want more old values", old.Endings, cold.Endings)
	}
	mustBeDrawable(t, found.Plots)
}
