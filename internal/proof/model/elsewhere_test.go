package model_test

import (
	"context"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

// What other processes, and the test itself, do to the store: directly, past the outage and the region.

// replace records over whatever is there, as a process does whose lookup came a moment before.
func (p *port) replace(key string, entry cacheaside.Entry[string]) {
	ctx := context.Background()
	found := p.look(ctx, key)
	p.record(ctx, key, entry, cacheaside.Condition{Observation: found.Observation})
}

func (p *port) spoil(key string, kind cacheaside.EntryKind) {
	kind = p.inner.spoil(key, kind)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.plain.put(key, plainEntry{unusable: kind}, p.now())
}

// glimpse is the model's view of what the region's lookups see now.
func (p *port) glimpse(key string, now time.Duration) glimpse {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.broken != reachable {
		return glimpse{kind: cacheaside.LookupUnavailable}
	}
	return p.plain.look(key, millis(now))
}

// take gives the oldest record that was made and not taken yet.
func (p *port) take() (writing, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.written) == 0 {
		return writing{}, false
	}
	w := p.written[0]
	p.written = p.written[1:]
	return w, true
}

func (p *port) lookups(key string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.looked[key]
}

func (p *port) setOutage(o outage) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.broken = o
}

func (p *port) outage() outage {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.broken
}

func (p *port) setHolding(on bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.holding = on
}

func (p *port) letRecord(number int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	close(p.held[number])
}

// fault looks at every key once more and gives the first thing that was wrong.
func (p *port) fault(keys []string) string {
	for _, key := range keys {
		p.look(context.Background(), key)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.wrong
}

// ends are the moments at which something in the store changes its meaning.
func (p *port) ends() (moments []time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, e := range p.plain.entries {
		for _, end := range []int64{e.soft, e.hard} {
			moments = append(moments, time.Duration(end)*time.Millisecond)
		}
	}
	return moments
}

// abort lets everything go that is held.
func (p *port) abort() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.holding = false
	for _, gate := range p.held {
		select {
		case <-gate:
		default:
			close(gate)
		}
	}
}
