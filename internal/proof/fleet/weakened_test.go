package fleet_test

import (
	"context"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

// weakened is a port whose rule for accepting a fill is weaker than it must be: a fill that is refused as superseded is stored under a grant made up
// for it, always or where the fence record was lost.
type weakened struct {
	port
	onlyIfLost bool
	lost       map[string]bool // shared by the instances
}

func (w weakened) Acquire(
	ctx context.Context, key string, request cacheaside.RequestID, seen cacheaside.Observation, lease time.Duration,
) cacheaside.Grant {
	grant := w.port.Acquire(ctx, key, request, seen, lease)
	if grant.Kind == cacheaside.GrantGranted {
		w.lost[key] = false
	}
	return grant
}

func (w weakened) Invalidate(ctx context.Context, key string) cacheaside.RecordOutcome {
	w.lost[key] = false
	return w.port.Invalidate(ctx, key)
}

func (w weakened) Fill(
	ctx context.Context, key string, fence cacheaside.Fence, entry cacheaside.Entry[string], condition cacheaside.Condition,
) cacheaside.RecordOutcome {
	outcome := w.port.Fill(ctx, key, fence, entry, condition)
	if outcome.Reason != cacheaside.RecordSuperseded || w.onlyIfLost && !w.lost[key] {
		return outcome
	}
	grant := w.port.Acquire(ctx, key, cacheaside.RequestID{1}, w.port.Lookup(ctx, key).Observation, raceLease)
	return w.port.Fill(ctx, key, grant.Fence, entry, condition)
}

// weaken gives the same arena with a weaker rule.
func weaken(a arena, onlyIfLost bool) *arena {
	lost := map[string]bool{}
	weak := make([]port, len(a.ports))
	for i, p := range a.ports {
		weak[i] = weakened{port: p, onlyIfLost: onlyIfLost, lost: lost}
	}
	lose := a.loseFence
	a.ports, a.plain = weak, nil
	a.loseFence = func(key string) {
		lose(key)
		lost[key] = true
	}
	return &a
}
