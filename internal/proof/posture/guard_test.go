package posture_test

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/internal/redistest"
	"github.com/cacheaside/resilience/redisadapter"
)

// keyOn finds a key that a node of a cluster serves.
func keyOn(t *testing.T, client *redis.ClusterClient, server *redistest.Server) string {
	t.Helper()
	for i := range 1000 {
		key := "key" + strconv.Itoa(i)
		node, err := client.MasterForKey(t.Context(), key)
		if err != nil {
			t.Fatal(err)
		}
		if node.Options().Addr == server.Addr() {
			return key
		}
	}
	t.Fatal("no key is on that node")
	return ""
}

func TestANodeOfAClusterThatWasRestartedStopsOnlyItsOwnLeases(t *testing.T) {
	t.Parallel()
	cluster := redistest.StartCluster(t, 3)
	for _, server := range cluster.Nodes() {
		configure(t, server.Client(), "appendonly", "yes", "appendfsync", "always")
		if err := server.Client().ConfigRewrite(t.Context()).Err(); err != nil {
			t.Fatal(err)
		}
	}
	client := cluster.Client()
	needs, own := resuming()
	g := granter{client, mustFind(t, client, needs, nil, nil)}
	if known := len(g.posture.Identities()); known != 3 {
		t.Errorf("%d servers are trusted, want 3", known)
	}
	steady, restarted := cluster.Nodes()[0], cluster.Nodes()[2]
	steadyKey, key := keyOn(t, client, steady), keyOn(t, client, restarted)
	g.mustGrant(t, steadyKey)
	g.mustGrant(t, key)

	restarted.Restart()
	await(t, "the cluster to be whole again", func(ctx context.Context) bool { return client.Set(ctx, key, 1, 0).Err() == nil })
	g.mustRefuse(t, key, other)
	g.mustGrant(t, steadyKey)
	var changed *redisadapter.IdentityChangedError
	if err := g.posture.Check(t.Context()); !errors.As(err, &changed) || changed.Node != restarted.Addr() {
		t.Errorf("%v does not name the node", err)
	}
	own.Add(needs.MaxHold / 2)
	later := cluster.Nodes()[1]
	laterKey := keyOn(t, client, later)
	later.Restart()
	await(t, "the cluster to be whole again", func(ctx context.Context) bool { return client.Set(ctx, laterKey, 1, 0).Err() == nil })
	g.mustRefuse(t, laterKey, other)
	own.Add(needs.MaxHold / 2)
	g.mustGrant(t, key) // each node is waited for by itself
	g.mustRefuse(t, laterKey, other)
	own.Add(needs.MaxHold / 2)
	g.mustGrant(t, laterKey)
	g.mustGrant(t, steadyKey)
}

// TestAServerIsAskedOnceHoweverManyWaitToResume: a fleet of callers meets the new server at the same time.
func TestAServerIsAskedOnceHoweverManyWaitToResume(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, durable())
	proxy := redistest.StartProxy(t, server.Addr())
	client := clientOf(t, redistest.ClientOptions(proxy.Addr()))
	needs, own := resuming()
	g := granter{client, mustFind(t, client, needs, nil, nil)}
	server.Restart()
	g.mustRefuse(t, "key", other)
	own.Add(needs.MaxHold)
	asked := proxy.Count("INFO")
	release := make(chan struct{})
	proxy.Inject(redistest.Fault{Kind: redistest.Hold, Commands: []string{"INFO"}, Until: release})
	first := make(chan error, 1)
	go func() { first <- g.grant(t.Context(), "key") }()
	proxy.WaitForFault(redistest.Hold, 1)
	var callers sync.WaitGroup
	for range 8 {
		callers.Go(func() {
			var changed *redisadapter.IdentityChangedError
			if err := g.grant(t.Context(), "key"); !errors.As(err, &changed) || !changed.Resumes || changed.Remaining != 0 {
				t.Errorf("while the server is asked: %v", err)
			}
		})
	}
	callers.Wait()
	close(release)
	if err := <-first; err != nil {
		t.Errorf("the one who asked: %v", err)
	}
	if times := proxy.Count("INFO") - asked; times != 1 {
		t.Errorf("asked %d times, want once", times)
	}
	g.mustGrant(t, "key")
}

func TestAPostureThatWasRefusedGrantsNothing(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Options{})
	client := server.Client()
	losses := []string{"durability appendonly", "durability appendfsync"}
	refused := granter{client, mustFind(t, client, leases(), losses, nil)}
	configure(t, client, "appendonly", "yes", "appendfsync", "always")
	answer, err := client.Eval(t.Context(), redisadapter.GuardedScript(grantSource), []string{"key"}, refused.posture.GuardArgument()).Text()
	if err != nil || answer == "granted 1" {
		t.Errorf("a script says %q, %v", answer, err)
	}
	for _, err := range []error{refused.posture.Admit(t.Context(), "abc:-"), refused.posture.Check(t.Context()), refused.grant(t.Context(), "key")} {
		if got := labels(apart(err)); len(got) != 2 {
			t.Errorf("got %q, want what was refused", got)
		}
	}
}

// TestAScriptThatCannotTellTheServerGrantsNothing: a right that is taken away while it runs is a refusal to answer, and no pass.
func TestAScriptThatCannotTellTheServerGrantsNothing(t *testing.T) {
	t.Parallel()
	options := durable()
	options.Users = []string{"app on >" + password + " ~* +@all"}
	server := redistest.Start(t, options)
	o := server.ClientOptions()
	o.Username, o.Password = "app", password
	client := clientOf(t, o)
	needs, own := resuming()
	needs.UnverifiedServerAccepted = true
	g := granter{client, mustFind(t, client, needs, nil, nil)}
	g.mustGrant(t, "key")
	if err := server.Client().Do(t.Context(), "acl", "setuser", "app", "-info").Err(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		g.mustRefuse(t, "key", "unverifiable run_id, master_replid")
		own.Add(time.Hour)
	}
}

func TestAServerWhoseNameIsNotNeededIsNotAsked(t *testing.T) {
	t.Parallel()
	options := durable()
	options.Users = []string{"app on >" + password + " ~* +@all -info"}
	server := redistest.Start(t, options)
	o := server.ClientOptions()
	o.Username, o.Password = "app", password
	client := clientOf(t, o)
	needs := leases()
	needs.UnverifiedServerAccepted = true
	posture, err := redisadapter.Preflight(t.Context(), client, needs)
	if err != nil {
		t.Fatal(err)
	}
	granter{client, posture}.mustGrant(t, "key") // accepted although it does not say who it is
	for _, needs := range []redisadapter.Needs{{Slots: true}, {}} {
		granter{server.Client(), mustFind(t, server.Client(), needs, nil, nil)}.mustGrant(t, "key")
	}
}
