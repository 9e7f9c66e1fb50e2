package scenarios

import (
	"strings"

	"github.com/cacheaside/resilience/bench/internal/result"
	"github.com/cacheaside/resilience/bench/peers/internal/adapters"
)

// notes tell where another library did better than this one, and what to keep in mind with the figures.
func notes(found result.Scenario, peers []adapters.Peer) []string {
	list := advantages(found.Runs)
	var memory []string
	for _, p := range peers {
		if p.InMemory() {
			memory = append(memory, p.ID)
		}
	}
	if len(memory) > 0 {
		list = append(list, "Every process of "+strings.Join(memory, " and ")+" holds values of its own in memory: it asks no Redis, and no other process "+
			"loads for it.")
	}
	if found.ID == "S1" {
		list = append(list,
			"Lifetimes are not quite alike: go-zero stretches or shrinks them by up to 5 % and rounds up to whole seconds, and a value of go-redis/cache may "+
				"live twice as long, in Redis and then in memory. Fewer loads come of that too.",
			"A latency counts from the intended arrival, so what it takes this machine to begin a call is part of it, alike for all. S18 has the time of a read "+
				"by itself.")
	}
	return append(list, "Bounds are of this library's presets alone; the figures of the others are shown.")
}
