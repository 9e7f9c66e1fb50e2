package cacheaside

import (
	"context"
	"sync/atomic"
)

// chainKey is where a load's context carries the loads that it runs inside of.
type chainKey struct{}

// chainLink is one load that is running, and the loads that led to it.
type chainLink struct {
	region   any // the *Region; regions are told apart by identity, not by name
	key      string
	returned atomic.Bool
	parent   *chainLink
}

func chainOf(ctx context.Context) *chainLink {
	link, _ := ctx.Value(chainKey{}).(*chainLink)
	return link
}

// holds tells whether the chain has a load of this very key that is still running: waiting for it would be waiting for oneself. A context that has
// outlived its load is not inside of it any more.
func (l *chainLink) holds(region any, key string) bool {
	for link := l; link != nil; link = link.parent {
		if link.region == region && link.key == key && !link.returned.Load() {
			return true
		}
	}
	return false
}
