package posture_test

import (
	"context"
	"errors"
	"net"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/internal/redistest"
	"github.com/cacheaside/resilience/redisadapter"
)

const other = "identity run_id, master_replid"

// resuming has a clock that the test moves.
func resuming() (redisadapter.Needs, *clock.Mock) {
	needs, own := leases(), clock.NewMock()
	needs.ResumeAfterFailover, needs.Clock = true, own
	return needs, own
}

func TestAServerThatWasRestartedGrantsNothingUnlessThatIsAccepted(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, durable())
	client := server.Client()
	own := clock.NewMock()
	needs := leases()
	needs.Clock = own
	g := granter{client, mustFind(t, client, needs, nil, nil)}
	g.mustGrant(t, "key")
	former := g.posture.Identities()
	server.Restart()
	g.mustRefuse(t, "key", other)
	own.Add(24 * time.Hour)
	var changed *redisadapter.IdentityChangedError
	if err := g.mustRefuse(t, "key", other); !errors.As(err, &changed) || changed.Resumes || changed.Remaining != 0 {
		t.Errorf("%v promises to end by itself", err)
	}
	if got := labels(apart(g.posture.Check(t.Context()))); len(got) != 1 || got[0] != other {
		t.Errorf("a check finds %q, want %q", got, other)
	}
	mustFind(t, client, needs, nil, nil) // in a life that remembers none it is as good as any
	needs.Known = g.posture.Identities()
	if len(former) == 0 || !slices.Equal(needs.Known, former) {
		t.Errorf("forgot who granted, %q, for %q", former, needs.Known)
	}
	mustFind(t, client, needs, []string{other}, nil)
}

func TestLeasesResumeWhenEveryLeaseOfTheFormerServerHasEnded(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, durable())
	client := server.Client()
	needs, own := resuming()
	g := granter{client, mustFind(t, client, needs, nil, nil)}
	g.mustGrant(t, "key")
	former := g.posture.Identities()
	own.Add(time.Hour) // only what passes after the change counts
	server.Restart()

	g.mustRefuse(t, "key", other)
	own.Add(needs.MaxHold - time.Millisecond)
	var changed *redisadapter.IdentityChangedError
	if err := g.mustRefuse(t, "key", other); !errors.As(err, &changed) || !changed.Resumes || changed.Remaining != time.Millisecond {
		t.Errorf("%v does not say that 1 ms is left", err)
	}
	own.Add(time.Millisecond)
	g.mustGrant(t, "key")
	if err := g.posture.Check(t.Context()); err != nil {
		t.Errorf("a check still finds %v", err)
	}

	t.Run("a later life remembers", func(t *testing.T) {
		needs, own := resuming()
		needs.Known = g.posture.Identities()
		mustFind(t, client, needs, nil, nil)
		needs.Known = former
		posture, err := redisadapter.Preflight(t.Context(), client, needs)
		if err != nil {
			t.Fatalf("a server that will be resumed on is refused for good: %v", err)
		}
		later := granter{client, posture}
		later.mustRefuse(t, "key", other)
		own.Add(needs.MaxHold)
		later.mustGrant(t, "key")
	})
}

// TestAServerIsJudgedBeforeItIsResumedOn: another server need not be set up like the former one.
func TestAServerIsJudgedBeforeItIsResumedOn(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, durable())
	client := server.Client()
	needs, own := resuming()
	g := granter{client, mustFind(t, client, needs, nil, nil)}
	server.Restart()
	configure(t, client, "maxmemory", "64mb", "maxmemory-policy", "allkeys-lru")
	g.mustRefuse(t, "key", other)
	own.Add(needs.MaxHold)
	g.mustRefuse(t, "key", "eviction maxmemory-policy")
	configure(t, client, "maxmemory-policy", "noeviction")
	g.mustGrant(t, "key")
}

// movable is a client whose address moves, as that of a failover client, a virtual address or a name does.
func movable(t *testing.T, first *redistest.Server) (client *redis.Client, move func(to *redistest.Server)) {
	t.Helper()
	var addr atomic.Pointer[string]
	move = func(to *redistest.Server) { a := to.Addr(); addr.Store(&a) }
	move(first)
	options := first.ClientOptions()
	options.Dialer = func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, *addr.Load())
	}
	return clientOf(t, options), move
}

func TestAReplicaThatIsPromotedGrantsNothingUnlessThatIsAccepted(t *testing.T) {
	t.Parallel()
	primary := redistest.Start(t, durable())
	client, move := movable(t, primary)
	needs, own := resuming()
	g := granter{client, mustFind(t, client, needs, nil, nil)}
	replica := redistest.StartReplica(t, primary)
	configure(t, replica.Client(), "appendonly", "yes", "appendfsync", "always")
	g.mustGrant(t, "key") // a first replica gives the primary another replication id, which means nothing
	if err := g.posture.Check(t.Context()); err != nil {
		t.Errorf("a replica that attaches is taken for a failover: %v", err)
	}

	replica.Promote()
	move(replica)
	primary.Kill()
	await(t, "the connections to the former primary to be gone", func(ctx context.Context) bool { return client.Ping(ctx).Err() == nil })
	g.mustRefuse(t, "key", other)
	own.Add(needs.MaxHold)
	g.mustGrant(t, "key")
}

// TestAServerThatWasAReplicaInBetweenIsAnother: the run id alone does not tell that somebody else granted in the meantime.
func TestAServerThatWasAReplicaInBetweenIsAnother(t *testing.T) {
	t.Parallel()
	first := redistest.Start(t, durable())
	second := redistest.StartReplica(t, first)
	client := first.Client()
	needs, own := resuming()
	g := granter{client, mustFind(t, client, needs, nil, nil)}
	g.mustGrant(t, "key")
	for range 2 { // the second time it has been one already
		second.Promote()
		first.ReplicateFrom(second)
		first.Promote()
		g.mustRefuse(t, "key", other)
		if got := labels(apart(g.posture.Check(t.Context()))); len(got) != 1 || got[0] != other {
			t.Errorf("a check finds %q, want %q", got, other)
		}
		own.Add(needs.MaxHold)
		g.mustGrant(t, "key")
		second.ReplicateFrom(first)
	}
}

// TestAServerThatComesBackAfterAnotherIsNotTrusted: what the other granted in between is unknown to it.
func TestAServerThatComesBackAfterAnotherIsNotTrusted(t *testing.T) {
	t.Parallel()
	first, second := redistest.Start(t, durable()), redistest.Start(t, durable())
	client, move := movable(t, first)
	needs, own := resuming()
	g := granter{client, mustFind(t, client, needs, nil, nil)}
	to := func(server *redistest.Server) {
		move(server)
		for _, s := range []*redistest.Server{first, second} { // as a failover does
			if err := s.Client().ClientKillByFilter(t.Context(), "TYPE", "normal").Err(); err != nil {
				t.Fatal(err)
			}
		}
		await(t, "a new connection", func(ctx context.Context) bool { return client.Ping(ctx).Err() == nil })
	}
	to(second)
	g.mustRefuse(t, "key", other)
	own.Add(needs.MaxHold - 1)
	to(first)
	g.mustRefuse(t, "key", other)
	own.Add(needs.MaxHold - 1) // each change begins the wait anew
	g.mustRefuse(t, "key", other)
	own.Add(1)
	g.mustGrant(t, "key")
}

// TestAPromotedServerIsTheSameWhenItsPastIsForgotten, as it is once its last replica has been gone for repl-backlog-ttl.
func TestAPromotedServerIsTheSameWhenItsPastIsForgotten(t *testing.T) {
	t.Parallel()
	replica := redistest.StartReplica(t, redistest.Start(t, durable()))
	replica.Promote()
	client := replica.Client()
	configure(t, client, "appendonly", "yes", "appendfsync", "always")
	g := granter{client, mustFind(t, client, leases(), nil, nil)}
	g.mustGrant(t, "key")
	if err := client.Do(t.Context(), "debug", "change-repl-id").Err(); err != nil {
		t.Fatal(err)
	}
	g.mustGrant(t, "key")
	if err := g.posture.Check(t.Context()); err != nil {
		t.Errorf("a check finds %v", err)
	}
}
