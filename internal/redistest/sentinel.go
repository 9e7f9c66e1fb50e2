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

// sentinel describes what a sentinel watches.
type sentinel struct {
	name, host, port, password string
	quorum                     int
}

// sentinelDownAfter, in milliseconds, is how long a primary may be silent before a sentinel of this package takes it for dead.
const sentinelDownAfter = 1000

// StartSentinel starts a sentinel that watches primary and its replicas under name, and returns when it knows as many replicas as the primary has.
// It takes a primary that is silent for a second for dead, alone where quorum is 1, and asks ten times as often as by default how things are.
func StartSentinel(t testing.TB, name string, primary *Server, quorum int) *Server {
	t.Helper()
	host, port, err := net.SplitHostPort(primary.Addr())
	if err != nil {
		t.Fatal(err)
	}
	s := Start(t, Options{sentinel: &sentinel{name: name, host: host, port: port, password: primary.process.opts.Password, quorum: quorum}})
	watched := redis.NewClient(primary.ClientOptions())
	defer watched.Close()
	own := redis.NewSentinelClient(s.ClientOptions())
	defer own.Close()
	if err := own.Process(t.Context(), redis.NewStatusCmd(t.Context(), "sentinel", "debug", "info-period", 200, "publish-period", 200)); err != nil {
		t.Fatalf("redistest: sentinel: %v", err)
	}
	if err := awaitReplicas(t.Context(), own, watched, name); err != nil {
		t.Fatal(err)
	}
	return s
}

// awaitReplicas waits until the sentinel knows every replica of the primary.
func awaitReplicas(ctx context.Context, own *redis.SentinelClient, primary *redis.Client, name string) error {
	return poll(ctx, 5*time.Millisecond, func() error {
		replicas, err := own.Replicas(ctx, name).Result()
		if err != nil {
			return fmt.Errorf("redistest: sentinel: %w", err)
		}
		info, err := primary.Info(ctx, "replication").Result()
		if err != nil {
			return fmt.Errorf("redistest: sentinel: %w", err)
		}
		if !strings.Contains(info, fmt.Sprintf("connected_slaves:%d\r\n", len(replicas))) {
			return fmt.Errorf("%w: the sentinel knows %d replicas", errNotYet, len(replicas))
		}
		return nil
	})
}

// config renders what a sentinel's configuration says beside where it listens.
func (s *sentinel) config(line func(format string, args ...any)) {
	line("sentinel monitor %s %s %s %d", s.name, s.host, s.port, s.quorum)
	line("sentinel down-after-milliseconds %s %d", s.name, sentinelDownAfter)
	line("sentinel failover-timeout %s %d", s.name, 2*sentinelDownAfter)
	if s.password != "" {
		line("sentinel auth-pass %s %s", s.name, quote(s.password))
	}
}
