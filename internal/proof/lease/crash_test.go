package lease_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cacheaside/resilience/internal/redistest"
	"github.com/cacheaside/resilience/lease"
	"github.com/cacheaside/resilience/lease/leasetest"
	"github.com/cacheaside/resilience/redisadapter"
)

// issued collects the tokens of one key that were acknowledged, in order.
type issued struct{ tokens []lease.Token }

func (i *issued) last() lease.Token { return i.tokens[len(i.tokens)-1] }

// issue takes and releases a key until the store does not answer any more.
func (i *issued) issue(store lease.Store, key string, count *atomic.Int64, enough func()) error {
	ctx := context.Background()
	for {
		a, err := store.Acquire(ctx, key, "a", lease.NewRequestID(), time.Minute)
		switch {
		case err != nil:
			return nil // the crash
		case a.Kind != lease.Granted:
			return fmt.Errorf("%+v of a key that nobody else takes", a)
		}
		i.tokens = append(i.tokens, a.Grant.Token)
		if count.Add(1) == 200 {
			enough()
		}
		if _, err := store.Release(ctx, key, a.Grant.Token); err != nil {
			return nil
		}
	}
}

// crashed lets four holders work until the server is killed in the middle of it, starts it again, and gives what they were told.
func crashed(t *testing.T, server *redistest.Server, store lease.Store) map[string]*issued {
	t.Helper()
	all := map[string]*issued{}
	errs := make([]error, 4)
	var count atomic.Int64
	enough := make(chan struct{})
	var running sync.WaitGroup
	for n := range errs {
		key := fmt.Sprint("key ", n)
		told := &issued{}
		all[key] = told
		running.Go(func() { errs[n] = told.issue(store, key, &count, sync.OnceFunc(func() { close(enough) })) })
	}
	<-enough
	server.Kill()
	running.Wait()
	server.Restart()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	return all
}

func wantGrowing(t *testing.T, key string, tokens []lease.Token) {
	t.Helper()
	for i := 1; i < len(tokens); i++ {
		if tokens[i] <= tokens[i-1] {
			t.Fatalf("%s: token %d after %d", key, tokens[i], tokens[i-1])
		}
	}
}

func TestAcknowledgedTokensSurviveAKilledServerThatWritesBeforeItAnswers(t *testing.T) {
	server := redistest.Start(t, redistest.Options{AppendOnly: true})
	cfg := config()
	cfg.AcknowledgedWritesMayBeLost = false
	all := crashed(t, server, openStore(t, server.Client(), cfg))
	after := openStore(t, server.Client(), cfg)
	for key, told := range all {
		seen, err := after.Inspect(context.Background(), key)
		if err != nil || seen.Token < told.last() {
			t.Errorf("%s: %+v, %v, and %d was acknowledged", key, seen, err, told.last())
		}
		age(t, server.Client(), cfg, time.Minute) // an unacknowledged grant may be live
		wantGrowing(t, key, append(told.tokens, take(t, after, key, "b", time.Minute).Token))
	}
}

// TestNoTokenIsIssuedTwiceBesideAServerThatForgets accepts the loss by its name: leases are gone, and their keys granted to others at once. Their tokens
// grow all the same, since they come from the server's time.
func TestNoTokenIsIssuedTwiceBesideAServerThatForgets(t *testing.T) {
	server := redistest.Start(t, redistest.Options{})
	cfg := config()
	cfg.AcknowledgedWritesMayBeLost = false
	if _, err := redisadapter.NewLeaseStore(context.Background(), server.Client(), cfg); err == nil {
		t.Fatal("a server that forgets is opened without its opt-out")
	}
	cfg.AcknowledgedWritesMayBeLost = true
	store := openStore(t, server.Client(), cfg)
	all := crashed(t, server, store)
	after := openStore(t, server.Client(), cfg)
	for key, told := range all {
		if seen, err := after.Inspect(context.Background(), key); err != nil || seen != (lease.Inspection{}) {
			t.Errorf("%s: %+v, %v, want all forgotten", key, seen, err)
		}
		wantGrowing(t, key, append(told.tokens, take(t, after, key, "b", time.Minute).Token))
	}
	finding := leasetest.Try(t, leasetest.Assertions()[24-1], func(t testing.TB, _ leasetest.Options) leasetest.Subject {
		return leasetest.Subject{Store: after, Second: after, Advance: func(time.Duration) {}, Crash: server.Restart}
	})
	if !finding.Failed {
		t.Errorf("a server that forgets passes the assertion of crashes: %+v", finding)
	}
}
