package posture_test

import (
	"testing"

	"github.com/cacheaside/resilience/internal/redistest"
	"github.com/cacheaside/resilience/redisadapter"
)

// TestC129_OnlyAServerThatNeverEvictsALeaseTakesLeases: keys of leases carry no expiry, so volatile policies never choose them.
func TestC129_OnlyAServerThatNeverEvictsALeaseTakesLeases(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, durable())
	client := server.Client()
	policies := map[string]bool{ // evicts leases
		"noeviction": false, "volatile-lru": false, "volatile-lfu": false, "volatile-ttl": false, "volatile-random": false,
		"allkeys-lru": true, "allkeys-lfu": true, "allkeys-random": true,
	}
	for policy, evicts := range policies {
		for _, limit := range []string{"0", "64mb"} {
			t.Run(policy+" "+limit, func(t *testing.T) {
				configure(t, client, "maxmemory", limit, "maxmemory-policy", policy)
				var refused []string
				if evicts && limit != "0" {
					refused = []string{"eviction maxmemory-policy"}
				}
				mustFind(t, client, leases(), refused, nil)
				mustFind(t, client, redisadapter.Needs{Slots: true}, refused, nil)
				mustFind(t, client, redisadapter.Needs{Queue: true}, refused, nil)
				mustFind(t, client, redisadapter.Needs{}, nil, refused)
			})
		}
	}
}

func TestEverySettingThatLosesAcknowledgedWritesIsFoundAtOnce(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Options{MaxMemory: "64mb", MaxMemoryPolicy: "allkeys-lru"})
	client := server.Client()
	for _, appendOnly := range []string{"no", "yes"} {
		configure(t, client, "appendonly", appendOnly)
		for _, fsync := range []string{"always", "everysec", "no"} {
			for _, rewrite := range []string{"no", "yes"} {
				t.Run("appendonly "+appendOnly+" appendfsync "+fsync+" no-appendfsync-on-rewrite "+rewrite, func(t *testing.T) {
					configure(t, client, "appendfsync", fsync, "no-appendfsync-on-rewrite", rewrite)
					losses := []string{}
					if appendOnly == "no" {
						losses = append(losses, "durability appendonly")
					}
					if fsync != "always" {
						losses = append(losses, "durability appendfsync")
					}
					if rewrite == "yes" {
						losses = append(losses, "durability no-appendfsync-on-rewrite")
					}
					evicts := "eviction maxmemory-policy"
					for _, needs := range []redisadapter.Needs{leases(), {Queue: true}} {
						mustFind(t, client, needs, append([]string{evicts}, losses...), nil)
						needs.AcknowledgedWritesMayBeLost = true
						mustFind(t, client, needs, []string{evicts}, losses)
					}
					mustFind(t, client, redisadapter.Needs{Slots: true}, []string{evicts}, nil)
					mustFind(t, client, redisadapter.Needs{}, nil, []string{evicts})
				})
			}
		}
	}
}

func TestAServerInOrderTellsAllAboutItself(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, durable())
	posture := mustFind(t, server.Client(), leases(), nil, nil)
	servers := posture.Report().Servers
	if len(servers) != 1 {
		t.Fatalf("%d servers, want 1", len(servers))
	}
	got := servers[0]
	if got.Identity == "" || got.Version == "" || got.SkewWithin <= 0 {
		t.Errorf("no identity, version or skew in %+v", got)
	}
	got.Identity, got.Version, got.Skew, got.SkewWithin = "", "", 0, 0
	want := redisadapter.ServerReport{
		Product: "redis", Mode: "standalone", Role: "master", MaxMemory: "0", MaxMemoryPolicy: "noeviction", AppendOnly: "yes", AppendFsync: "always",
		NoAppendFsyncOnRewrite: "no", Replicas: "0", LastAppendStatus: "ok", LastSnapshotStatus: "ok",
	}
	if got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if text := posture.Report().String(); text != "" {
		t.Errorf("a report without findings says %q", text)
	}
}
