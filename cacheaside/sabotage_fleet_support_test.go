package cacheaside_test

import (
	"context"
	"sync"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

// fencedScript is a scripted cache whose grants a test gives, and that remembers what it was asked. What is not scripted is granted.
type fencedScript struct {
	scripted
	grant func(number int, key string) cacheaside.Grant

	mu       sync.Mutex
	requests []cacheaside.RequestID
	leases   []time.Duration
	filled   []cacheaside.Entry[string]
	released []cacheaside.Fence
}

func granted() cacheaside.Grant {
	return cacheaside.Grant{Kind: cacheaside.GrantGranted, Fence: cacheaside.Fence{Token: 5}}
}

func heldFor(remaining time.Duration) cacheaside.Grant {
	return cacheaside.Grant{Kind: cacheaside.GrantHeld, Remaining: remaining}
}

func (s *fencedScript) Fenced() bool { return true }

func (s *fencedScript) Acquire(
	_ context.Context, key string, request cacheaside.RequestID, _ cacheaside.Observation, lease time.Duration,
) cacheaside.Grant {
	s.mu.Lock()
	s.requests, s.leases = append(s.requests, request), append(s.leases, lease)
	number := len(s.requests)
	s.mu.Unlock()
	if s.grant == nil {
		return granted()
	}
	return s.grant(number, key)
}

func (s *fencedScript) Fill(
	_ context.Context, _ string, _ cacheaside.Fence, entry cacheaside.Entry[string], _ cacheaside.Condition,
) cacheaside.RecordOutcome {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.filled = append(s.filled, entry)
	return cacheaside.RecordOutcome{Certainty: cacheaside.RecordApplied}
}

func (s *fencedScript) Release(_ context.Context, _ string, fence cacheaside.Fence) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.released = append(s.released, fence)
}

// counts tells how often the cache was asked for a grant, filled, and given a grant back.
func (s *fencedScript) counts() (requests, fills, releases int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.requests), len(s.filled), len(s.released)
}

func inFleet(change ...func(*cacheaside.Policy)) func(*cacheaside.RegionConfig[string, string]) {
	return policy(func(p *cacheaside.Policy) {
		p.Coordination = cacheaside.Fleet
		for _, f := range change {
			f(p)
		}
	})
}
