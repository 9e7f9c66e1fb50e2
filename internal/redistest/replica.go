package redistest

import (
	"context"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// StartReplica starts a server that replicates of, with its password, and
// returns when the first copy is complete and the link is up.
func StartReplica(t testing.TB, of *Server) *Server {
	t.Helper()
	host, port, err := net.SplitHostPort(of.Addr())
	if err != nil {
		t.Fatal(err)
	}
	replica := Start(t, Options{
		Password: of.process.opts.Password,
		Config:   []string{"replicaof " + host + " " + port},
	})
	client := redis.NewClient(replica.ClientOptions())
	defer client.Close()
	if err := awaitLink(t.Context(), client); err != nil {
		t.Fatal(err)
	}
	return replica
}

func awaitLink(ctx context.Context, client *redis.Client) error {
	return poll(ctx, 2*time.Millisecond, func() error {
		info, err := client.Info(ctx, "replication").Result()
		if redis.IsLoadingError(err) {
			return fmt.Errorf("%w: the replica reads its copy", errNotYet)
		}
		if err != nil {
			return fmt.Errorf("redistest: replica: %w", err)
		}
		if !strings.Contains(info, "master_link_status:up") {
			return fmt.Errorf("%w: the replica has no link to its master", errNotYet)
		}
		return nil
	})
}

// Promote makes a replica a primary of its own; what it has copied stays.
func (s *Server) Promote() {
	s.t.Helper()
	s.replicaOf("no", "one")
}

// ReplicateFrom makes the server a replica of primary, which has the same
// password, and returns when the first copy is complete and the link is up.
// What the server held is gone.
func (s *Server) ReplicateFrom(primary *Server) {
	s.t.Helper()
	host, port, err := net.SplitHostPort(primary.Addr())
	s.must(err)
	s.replicaOf(host, port)
	client := redis.NewClient(s.ClientOptions())
	defer client.Close()
	s.must(awaitLink(context.Background(), client))
}

func (s *Server) replicaOf(host, port string) {
	s.t.Helper()
	client := redis.NewClient(s.ClientOptions())
	defer client.Close()
	s.must(client.Do(context.Background(), "replicaof", host, port).Err())
}
