package lease_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/internal/redistest"
	"github.com/cacheaside/resilience/lease"
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
		var found *redisadapter.EvictionError
		switch {
		case row.refused && (!errors.As(err, &found) || found.Setting != "maxmemory-policy" || !strings.Contains(found.Seen, row.policy)):
			t.Errorf("%s: %v, want it refused by name", row.policy, err)
		case !row.refused && err != nil:
			t.Errorf("%s with %s: %v", row.policy, row.limit, err)
		}
		if store != nil {
			_ = store.Close()
		}
	}
}

func TestAServerThatMayLoseALeaseIsRefusedByWhatItLacks(t *testing.T) {
	forgetful := redistest.Start(t, redistest.Options{Users: []string{"silent on >silent ~* +@all -info -config"}})
	replica := redistest.StartReplica(t, forgetful)
	silent := forgetful.ClientOptions()
	silent.Username, silent.Password = "silent", "silent"
	silentClient := redis.NewClient(silent)
	defer silentClient.Close()
	for name, row := range map[string]struct {
		client           *redis.Client
		lost, unverified bool
		want             any
	}{
		"forgetful":           {forgetful.Client(), false, true, new(*redisadapter.DurabilityError)},
		"forgetful, accepted": {forgetful.Client(), true, false, nil},
		"a replica":           {replica.Client(), true, true, new(*redisadapter.DeploymentError)},
		"silent":              {silentClient, true, false, new(*redisadapter.UnverifiableError)},
		"silent, accepted":    {silentClient, true, true, nil},
		"unreachable":         {via(t, "127.0.0.1:1"), true, true, new(*redisadapter.UnverifiableError)},
	} {
		cfg := config()
		cfg.AcknowledgedWritesMayBeLost, cfg.UnverifiedServerAccepted = row.lost, row.unverified
		store, err := redisadapter.NewLeaseStore(context.Background(), row.client, cfg)
		if row.want == nil && err != nil || row.want != nil && !errors.As(err, row.want) {
			t.Errorf("%s: %v, want a %T", name, err, row.want)
		}
		if store != nil {
			take(t, store, "k", "a", time.Minute)
			_ = store.Close()
		}
	}
}

// TestNothingIsGrantedOnAServerThatWasStartedAgainUntilItsLeasesAreOver keeps what is held alive beside it.
func TestNothingIsGrantedOnAServerThatWasStartedAgainUntilItsLeasesAreOver(t *testing.T) {
	server := redistest.Start(t, redistest.Options{AppendOnly: true})
	cfg := config()
	cfg.AcknowledgedWritesMayBeLost = false
	own := skewed(0)
	cfg.Clock = own
	stays := openStore(t, server.Client(), cfg)
	cfg.ResumeAfterFailover = true
	resumes := openStore(t, server.Client(), cfg)
	cfg.Known = resumes.Posture().Identities()
	held := take(t, resumes, "k", "a", time.Minute)

	server.Restart()
	later := openStore(t, server.Client(), cfg) // a later life, which remembers the server
	for _, store := range []*redisadapter.LeaseStore{stays, resumes, later} {
		wantStranger(t, store)
	}
	if r, err := stays.Renew(context.Background(), "k", held.Token, time.Minute); err != nil || r.Lost != lease.NotLost {
		t.Errorf("what is held is lost: %+v, %v", r, err)
	}
	own.advance(lease.DefaultMaxHold - time.Minute)
	wantStranger(t, resumes)
	own.advance(time.Minute)
	wantStranger(t, stays)
	take(t, resumes, "j", "a", time.Minute)
	take(t, later, "i", "a", time.Minute)
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
