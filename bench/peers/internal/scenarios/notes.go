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
			"Lifetimes are not quite alike: go-zero stretches or shrinks them by up to 5% and rounds up to whole seconds, and a value of go-redis/cache may "+
				"live twice as long, in Redis and then in memory. Fewer loads come of that too.",
			"A latency counts from the intended arrival, so what it takes this machine to begin a call is part of it, alike for all. S18 has the time of a read "+
				"by itself.")
	}
	if readable := readableAgain(found.Checks); len(readable) > 0 {
		list = append(list, "The key whose first load hangs can be read again with others too: "+strings.Join(readable, "; ")+".")
	}
	return append(list, "Bounds are of this library's presets alone; the figures of the others are shown.")
}

// readableAgain tells who else reads a key again whose load hangs, and when.
func readableAgain(checks []result.Check) []string {
	var list []string
	for _, c := range checks {
		if c.What == "the key can be read again" && c.Measured != "never" && !isOwn(c.Contender) {
			list = append(list, c.Contender+" "+c.Measured)
		}
	}
	return list
}
