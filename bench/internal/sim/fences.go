package sim

import (
	"context"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/workload"
	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/cacheaside/memory"
)

// fencesOf gives the cache as it is now, with a fence as that one knows it: a replica that repeats what it was told gives out tokens of its own, where
// a real one copies them.
func (s *server) fencesOf(fence cacheaside.Fence) (*memory.Cache[uint64, contender.Row], cacheaside.Fence) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if token, repeated := s.tokens[fence]; repeated {
		fence.Token = token
	}
	return s.cache, fence
}

// repeatGrant gives out a grant again, for what is left of it. One that has run out is left out, which costs its holder a fill and nobody more.
func (s *server) repeatGrant(w written) {
	ctx := context.Background()
	left := time.Until(w.until)
	if left <= 0 {
		return
	}
	seen := s.cache.Lookup(ctx, w.key).Observation
	if grant := s.cache.Acquire(ctx, w.key, w.fence.Request, seen, left); grant.Kind == cacheaside.GrantGranted {
		s.tokens[w.fence] = grant.Fence.Token
	}
}

// put records an entry over whatever is there, by a grant of its own where fills are fenced.
func (s *server) put(key uint64, entry cacheaside.Entry[contender.Row], seen cacheaside.Observation) bool {
	ctx, cache := context.Background(), s.current()
	if !s.fenced {
		return cache.Record(ctx, key, entry, cacheaside.Condition{Observation: seen}).Certainty == cacheaside.RecordApplied
	}
	grant := cache.Acquire(ctx, key, cacheaside.RequestID{1}, seen, time.Second)
	if grant.Kind != cacheaside.GrantGranted {
		return false
	}
	if cache.Fill(ctx, key, grant.Fence, entry, cacheaside.Condition{}).Certainty == cacheaside.RecordApplied {
		return true
	}
	cache.Release(ctx, key, grant.Fence)
	return false
}

// names gives the bytes of a node's requests for grants, as the moment has them, so that the same run asks under the same names.
type names struct {
	seed uint64
	node int
}

func (n names) Read(p []byte) (int, error) {
	draw := workload.AtValue(n.seed+uint64(n.node), workload.Names, uint64(time.Now().UnixNano()))
	for at := 0; at < len(p); at += 8 {
		word := draw.Uint64()
		for k := 0; k < 8 && at+k < len(p); k++ {
			p[at+k] = byte(word >> (8 * k))
		}
	}
	return len(p), nil
}
