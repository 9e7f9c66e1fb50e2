package main

import (
	"github.com/cacheaside/resilience/bench/internal/machine"
	"github.com/cacheaside/resilience/bench/peers/internal/adapters"
)

// versions gives what was built, by module path: the libraries of peers, and their Redis clients.
func versions(peers []adapters.Peer) map[string]string {
	modules := []string{"github.com/redis/go-redis/v9", "github.com/redis/rueidis"}
	for _, p := range peers {
		modules = append(modules, p.Module)
	}
	return machine.Versions(modules...)
}
