package scenario_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/scenario"
	"github.com/cacheaside/resilience/cacheaside"
)

// careless is a cache whose fills are not refused: where the fence is not the record's any more, it takes another grant and fills under that.
type careless struct {
	port
	where func(found cacheaside.Lookup[contender.Row]) bool
}

func (c careless) Fill(
	ctx context.Context, key uint64, fence cacheaside.Fence, entry cacheaside.Entry[contender.Row], condition cacheaside.Condition,
) cacheaside.RecordOutcome {
	outcome := c.port.Fill(ctx, key, fence, entry, condition)
	if outcome.Reason != cacheaside.RecordSuperseded {
		return outcome
	}
	found := c.Lookup(ctx, key)
	if !c.where(found) {
		return outcome
	}
	another := fence.Request
	another[0]++
	grant := c.Acquire(ctx, key, another, found.Observation, time.Second)
	if grant.Kind != cacheaside.GrantGranted {
		return outcome
	}
	return c.port.Fill(ctx, key, grant.Fence, entry, condition)
}

func TestTheInterleavingsCatchAFenceThatRefusesTooLittle(t *testing.T) {
	mutants := map[string]struct {
		spoil  func(port) port
		caught map[string]bool // by scenario
	}{
		"as it is": {func(p port) port { return p }, map[string]bool{"S12": false, "S13": false, "S14": false}},
		"a fill without its fence": {func(p port) port {
			return careless{p, func(cacheaside.Lookup[contender.Row]) bool { return true }}
		}, map[string]bool{"S12": true, "S13": true, "S14": true}},
		"a lost record refuses nothing": {func(p port) port {
			return careless{p, func(found cacheaside.Lookup[contender.Row]) bool { return found.Miss == cacheaside.MissAbsent }}
		}, map[string]bool{"S12": true, "S13": false, "S14": true}},
	}
	for name, mutant := range mutants {
		for id, want := range mutant.caught {
			o := scenario.Options{Seed: 1, Size: scenario.Quarter, Contenders: []contender.Contender{spoilAs(t, "P8", mutant.spoil)}}
			failed := strings.Join(failures(concluded(t, id, o)), "; ")
			if caught := strings.Contains(failed, "answers"); caught != want {
				t.Errorf("%s, %s: caught is %v: %s", id, name, caught, failed)
			}
		}
	}
}
