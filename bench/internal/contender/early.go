package contender

import (
	"context"
	"math"
	"time"
)

// P5: each caller that finds a value throws dice whether to load it before it expires, the more likely the closer the expiry and the longer the
// load takes: a load is due where now - cost * ln(u) reaches the expiry (Vattani, Chierichetti, Lowenstein: Optimal probabilistic cache stampede
// prevention, VLDB 2015, with beta = 1). Nothing is shared: whoever misses loads.
type early struct{ plain }

func openEarly(node Node) (Reader, error) { return early{plain{node}}, nil }

func (e early) Get(ctx context.Context, key uint64) Answer {
	entry, found, err := e.node.Store.Get(ctx, key)
	if err != nil || !found {
		return e.load(ctx, key)
	}
	if ahead := time.Duration(-float64(entry.Cost) * math.Log(1-e.node.Random())); time.Now().Add(ahead).Before(entry.ExpiresAt) {
		return hit(entry)
	}
	answer := e.load(ctx, key)
	if answer.Ending == Failed && time.Now().Before(entry.ExpiresAt) {
		return hit(entry) // it was early: what it has is still good
	}
	return answer
}
