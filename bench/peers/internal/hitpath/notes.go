package hitpath

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cacheaside/resilience/bench/peers/internal/adapters"
)

// sharing is the ratio to raw below which callers that ask Redis cannot have asked each for itself.
const sharing = 0.8

// notes tell what the figures mean, and each library's advantage where it has one.
func notes(figures []Figure, peers []adapters.Peer) []string {
	if len(figures) == 0 {
		return nil
	}
	var list, asking []string
	for _, p := range peers {
		if !p.AsksRedis() {
			list = append(list, fromMemory(figures, p))
			continue
		}
		asking = append(asking, p.ID)
		if text := shares(figures, p.ID); text != "" {
			list = append(list, text)
		}
	}
	if text := quickest(figures, asking); text != "" {
		list = append(list, text)
	}
	return append(list,
		"Nothing is judged here. Raw against raw is the same code twice in the same turns: differences that are no larger than its distance from 1 say nothing.",
		"Each library stores the row as its documentation does, go-redis/cache and this library in msgpack, rueidisaside, go-zero and failsafe-go in JSON, which "+
			"writes opaque bytes as text. This library also authenticates each entry that it reads; no other does.",
		"Each library has the client that its documentation opens, with the pool and the time limits of that client; with 64 goroutines their pools differ too. "+
			"The adapters of the others read the clock twice for each answer, about 0.1 µs that is not theirs.",
	)
}

// fromMemory is the advantage of a library that keeps values in the process.
func fromMemory(figures []Figure, p adapters.Peer) string {
	var times []string
	for _, f := range figures {
		for _, h := range f.Hits {
			if f.Goroutines == 1 && h.Library == p.ID {
				times = append(times, fmt.Sprintf("%s at %s, where a raw GET takes %s", duration(h.Nanoseconds), size(f.Bytes), duration(f.RawNanoseconds)))
			}
		}
	}
	text := fmt.Sprintf("%s answers a hit from the memory of its process, without asking Redis: %s.", p.ID, strings.Join(times, "; "))
	if p.InMemory() {
		return text + " It needs no Redis at all; no other process sees what it holds, nor drops it."
	}
	return text + " The time is that of decoding its copy; other processes share the entry in Redis beside it."
}

// shares is the advantage of a library that asks Redis, but not for each caller.
func shares(figures []Figure, library string) string {
	for _, f := range figures {
		for _, h := range f.Hits {
			if f.Goroutines > 1 && h.Library == library && h.Ratio < sharing {
				return fmt.Sprintf("%s takes %s x raw at %s: callers of one key at the same time share one GET, where the others ask for each.",
					library, ratio(h.Ratio), f.variant())
			}
		}
	}
	return ""
}

// quickest names, for each size and number of goroutines, which of those that ask Redis for every hit took least.
func quickest(figures []Figure, asking []string) string {
	var least []string
	for _, f := range figures {
		best := -1
		for i, h := range f.Hits {
			if slices.Contains(asking, h.Library) && (best < 0 || h.Nanoseconds < f.Hits[best].Nanoseconds) {
				best = i
			}
		}
		if best >= 0 {
			least = append(least, fmt.Sprintf("%s with %s (%s)", f.Hits[best].Library, duration(f.Hits[best].Nanoseconds), f.variant()))
		}
	}
	if len(least) == 0 {
		return ""
	}
	return "Of those that ask Redis for hits, the quickest: " + strings.Join(least, "; ") + "."
}
