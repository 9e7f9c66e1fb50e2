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
		if err != nil {
			return fmt.Errorf("redistest: replica: %w", err)
		}
		if !strings.Contains(info, "master_link_status:up") {
			return fmt.Errorf("%w: the replica has no link to its master", errNotYet)
		}
		return nil
	})
}
