package main

import (
	"context"
	"runtime/debug"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/bench/peers/internal/adapters"
	"github.com/cacheaside/resilience/internal/redistest"
)

// versions gives what was built and what it ran on, by module path: the libraries of peers, their Redis clients, and this library as "devel".
func versions(peers []adapters.Peer) map[string]string {
	found := map[string]string{}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return found
	}
	wanted := map[string]bool{"github.com/redis/go-redis/v9": true, "github.com/redis/rueidis": true}
	for _, p := range peers {
		wanted[p.Module] = true
	}
	for _, module := range append(info.Deps, &info.Main) {
		if !wanted[module.Path] {
			continue
		}
		found[module.Path] = module.Version
		// A module of this repository has no version of its own when it is built from its sources.
		if module.Replace != nil || strings.Trim(module.Version, "()") == "devel" || module.Version == "" {
			found[module.Path] = "devel"
		}
	}
	return found
}

// askServer gives the version of a Redis: of the one at addr, or of one that is started to be asked. It tells at the same time whether there is one.
func askServer(ctx context.Context, addr string) (version string, err error) {
	if addr == "" {
		process, err := redistest.StartProcess(ctx, redistest.Options{})
		if err != nil {
			return "", err
		}
		defer process.Stop() //nolint:errcheck // it has answered already
		addr = process.Addr()
	}
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	client := redis.NewClient(redistest.ClientOptions(addr))
	defer client.Close()
	info, err := client.Info(ctx, "server").Result()
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(info) {
		if version, found := strings.CutPrefix(line, "redis_version:"); found {
			return strings.TrimSpace(version), nil
		}
	}
	return "unknown", nil
}
