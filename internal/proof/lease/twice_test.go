package lease_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/internal/redistest"
	"github.com/cacheaside/resilience/lease"
	"github.com/cacheaside/resilience/redisadapter"
)

// eachScript is called before every script on a key is sent, with which of them it is, from 1, and its arguments.
type eachScript struct {
	sent   atomic.Int64
	before func(number int64, args []any)
}

func (h *eachScript) DialHook(next redis.DialHook) redis.DialHook { return next }

func (h *eachScript) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

func (h *eachScript) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		if args := cmd.Args(); cmd.Name() == "evalsha" && len(args) > guardArgument {
			h.before(h.sent.Add(1), args)
		}
		return next(ctx, cmd)
	}
}

// guardArgument is where the script of a grant has the servers that may grant: behind EVALSHA, the digest, the number of keys and the one key.
const guardArgument = 4

func TestAGrantThatIsRefusedAsOftenAsItMayBeAskedForIsNoDecision(t *testing.T) {
	for name, row := range map[string]struct {
		second func(server *redistest.Server, args []any)
		want   any
	}{
		"a second failover": {func(server *redistest.Server, _ []any) { server.Restart() }, new(*redisadapter.IdentityChangedError)},
		"a server that stops telling": {func(server *redistest.Server, _ []any) {
			if err := server.Client().Do(context.Background(), "acl", "setuser", "app", "-info").Err(); err != nil {
				t.Fatal(err)
			}
		}, new(*redisadapter.UnverifiableError)},
		"trust that others end and give again": {func(_ *redistest.Server, args []any) { args[guardArgument] = " " }, new(*redisadapter.StoreError)},
	} {
		t.Run(name, func(t *testing.T) {
			server := redistest.Start(t, redistest.Options{Users: []string{"app on >secret ~* &* +@all"}})
			options := server.ClientOptions()
			options.Username, options.Password = "app", "secret"
			client := redis.NewClient(options)
			defer client.Close()
			cfg := config()
			cfg.ResumeAfterFailover = true
			own := skewed(0)
			cfg.Clock = own
			store := openStore(t, client, cfg)
			take(t, store, "before", "a", time.Minute)
			server.Restart()
			wantStranger(t, store)
			own.advance(lease.DefaultMaxHold)
			hook := &eachScript{before: func(number int64, args []any) {
				if number == 2 {
					row.second(server, args)
				}
			}}
			client.AddHook(hook)

			_, err := store.Acquire(context.Background(), "k", "a", lease.NewRequestID(), time.Minute)
			if !errors.Is(err, lease.ErrNoDecision) || errors.Is(err, lease.ErrIndeterminate) || !errors.As(err, row.want) {
				t.Errorf("%v, want no decision for a %T", err, row.want)
			}
			if sent := hook.sent.Load(); sent != 2 {
				t.Errorf("asked %d times, want twice", sent)
			}
			if keys := keysOf(t, server.Client(), cfg); len(keys) != 0 {
				t.Errorf("%d records were written", len(keys))
			}
		})
	}
}
