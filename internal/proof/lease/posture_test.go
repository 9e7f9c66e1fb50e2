package lease_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/internal/redistest"
	"github.com/cacheaside/resilience/redisadapter"
)

func TestC129_AnEvictionPolicyThatDropsLeasesIsRefusedByTheSetting(t *testing.T) {
	server := redistest.Start(t, redistest.Options{})
	client := server.Client()
	for _, row := range []struct {
		policy, limit string
		refused       bool
	}{
		{"allkeys-lru", "100mb", true},
		{"allkeys-lfu", "100mb", true},
		{"allkeys-random", "100mb", true},
		{"allkeys-lru", "0", false}, // nothing is evicted without a limit
		{"volatile-lru", "100mb", false},
		{"volatile-ttl", "100mb", false},
		{"volatile-random", "100mb", false},
		{"noeviction", "100mb", false},
	} {
		set(t, client, "maxmemory", row.limit)
		set(t, client, "maxmemory-policy", row.policy)
		cfg := config()
		cfg.UnverifiedServerAccepted = true // silences only its own finding
		store, err := redisadapter.NewLeaseStore(context.Background(), client, cfg)
		switch {
		case row.refused && (err == nil || !strings.Contains(err.Error(), "maxmemory-policy") || !strings.Contains(err.Error(), row.policy)):
			t.Errorf("%s: %v, want it refused by name", row.policy, err)
		case !row.refused && err != nil:
			t.Errorf("%s with %s: %v", row.policy, row.limit, err)
		}
		if store != nil {
			_ = store.Close()
		}
	}
}

// TestTheServersOwnWordDecidesWhetherAStoreOpens goes through what servers tell of themselves, the older and the newer words.
func TestTheServersOwnWordDecidesWhetherAStoreOpens(t *testing.T) {
	const sound = "redis_mode:standalone\r\nrole:master\r\nmaxmemory:0\r\nmaxmemory_policy:noeviction\r\naof_enabled:1\r\n"
	with := func(old, new string) string { return strings.Replace(sound, old, new, 1) }
	const always, second = "always", "everysec"
	for name, row := range map[string]struct {
		info, fsync, rewrite string
		lost, unverified     bool
		refused              string // by a part of the text
	}{
		"sound":                      {sound, always, "no", false, false, ""},
		"Valkey's word":              {with("redis_mode", "server_mode"), always, "no", false, false, ""},
		"a replica":                  {with("role:master", "role:slave"), always, "no", true, true, "role"},
		"a cluster":                  {with("standalone", "cluster"), always, "no", true, true, "mode"},
		"a sentinel":                 {with("standalone", "sentinel"), always, "no", true, true, "mode"},
		"evicting":                   {with("maxmemory:0", "maxmemory:9") + "x\r\n", always, "no", true, true, ""},
		"evicting everything":        {strings.Replace(with("maxmemory:0", "maxmemory:9"), "noeviction", "allkeys-lrm", 1), always, "no", true, true, "maxmemory-policy"},
		"forgetting":                 {with("aof_enabled:1", "aof_enabled:0"), always, "no", false, true, "appendonly"},
		"forgetting, accepted":       {with("aof_enabled:1", "aof_enabled:0"), second, "yes", true, false, ""},
		"a second late":              {sound, second, "no", false, true, "appendfsync"},
		"late while rewriting":       {sound, always, "yes", false, true, "no-appendfsync-on-rewrite"},
		"a second late, accepted":    {sound, second, "yes", true, false, ""},
		"CONFIG refused":             {sound, "", "", false, false, "appendfsync"},
		"CONFIG refused, accepted":   {sound, "", "", false, true, ""},
		"INFO refused":               {"", always, "no", false, false, "INFO"},
		"INFO refused, accepted":     {"", always, "no", false, true, ""},
		"nothing told":               {"x:y\r\n", always, "no", true, false, "not told"},
		"nothing told, accepted":     {"x:y\r\n", always, "no", false, true, ""},
		"policy not told":            {with("maxmemory_policy:noeviction\r\n", ""), always, "no", true, false, "maxmemory-policy"},
		"limit not told but allkeys": {strings.Replace(with("maxmemory:0\r\n", ""), "noeviction", "allkeys-lru", 1), always, "no", true, true, "maxmemory-policy"},
	} {
		t.Run(name, func(t *testing.T) {
			stub := redistest.StartStub(t, func(args [][]byte) []byte {
				switch strings.ToUpper(string(args[0])) {
				case "INFO":
					if row.info != "" {
						return redistest.Bulk(row.info)
					}
				case "CONFIG":
					if row.fsync != "" {
						return redistest.Array(redistest.Bulk("appendfsync"), redistest.Bulk(row.fsync),
							redistest.Bulk("no-appendfsync-on-rewrite"), redistest.Bulk(row.rewrite))
					}
				}
				return redistest.Error("NOPERM this user has no permissions")
			})
			cfg := config()
			cfg.AcknowledgedWritesMayBeLost, cfg.UnverifiedServerAccepted = row.lost, row.unverified
			store, err := redisadapter.NewLeaseStore(context.Background(), via(t, stub.Addr()), cfg)
			if store != nil {
				defer store.Close()
			}
			switch {
			case row.refused == "" && err != nil:
				t.Errorf("refused: %v", err)
			case row.refused != "" && (err == nil || !strings.Contains(err.Error(), row.refused)):
				t.Errorf("%v, want it refused for its %s", err, row.refused)
			}
		})
	}
}

func TestAServerThatCannotBeAskedIsNotOpenedWhateverIsAccepted(t *testing.T) {
	cfg := config()
	cfg.UnverifiedServerAccepted = true
	var failure *redisadapter.StoreError
	if _, err := redisadapter.NewLeaseStore(context.Background(), via(t, "127.0.0.1:1"), cfg); !errors.As(err, &failure) {
		t.Errorf("%v, want a *StoreError", err)
	}
}

func TestEveryFaultOfALeaseConfigurationIsNamedAtOnce(t *testing.T) {
	_, err := redisadapter.NewLeaseStore(context.Background(), nil, redisadapter.LeaseConfig{
		Namespace: "a:b", Scope: "-", Secret: []byte("a short secret"), MaxHold: -1, Timeout: -1,
	})
	if err == nil || strings.Contains(err.Error(), "a short secret") {
		t.Fatal(err)
	}
	for _, field := range []string{"Namespace", "Region", "Scope", "Secret", "MaxHold", "Timeout", "client"} {
		if !strings.Contains(err.Error(), " "+field+" ") {
			t.Errorf("%s is not named in %v", field, err)
		}
	}
}

func TestOnlyAClientOfOneServerIsTaken(t *testing.T) {
	addrs := []string{"127.0.0.1:1"}
	cluster := redis.NewClusterClient(&redis.ClusterOptions{Addrs: addrs, ContextTimeoutEnabled: true})
	defer cluster.Close()
	ring := redis.NewRing(&redis.RingOptions{Addrs: map[string]string{"a": addrs[0]}, ContextTimeoutEnabled: true})
	defer ring.Close()
	for _, client := range []redis.UniversalClient{cluster, ring} {
		var fault *cacheaside.FieldError
		if _, err := redisadapter.NewLeaseStore(context.Background(), client, config()); !errors.As(err, &fault) || fault.Field != "client" {
			t.Errorf("%T: %v", client, err)
		}
	}
}
