package redisstore

import (
	"context"

	"github.com/redis/go-redis/v9"
)

// Counter gives a hook that calls count for each command. What a connection says to introduce itself is not counted, nor is what the client sends
// again by itself. count is called by many goroutines at once.
func Counter(count func()) redis.Hook { return counter{count} }

type counter struct{ count func() }

func (c counter) DialHook(next redis.DialHook) redis.DialHook { return next }

func (c counter) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		c.see(cmd)
		return next(ctx, cmd)
	}
}

func (c counter) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		for _, cmd := range cmds {
			c.see(cmd)
		}
		return next(ctx, cmds)
	}
}

func (c counter) see(cmd redis.Cmder) {
	switch cmd.Name() {
	case "hello", "client", "auth", "select":
	default:
		c.count()
	}
}
