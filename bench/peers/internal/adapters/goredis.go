package adapters

import (
	"context"

	"github.com/redis/go-redis/v9"
)

// Client makes a client with the defaults of go-redis but for one: deadlines of contexts end a command, else the comparison of callers with
// deadlines would be one of go-redis' default socket timeouts. It dials nothing yet.
func (p Place) Client() *redis.Client {
	client := redis.NewClient(&redis.Options{Addr: p.Addr, ContextTimeoutEnabled: true})
	if p.Operation != nil {
		client.AddHook(counter{p.Operation})
	}
	return client
}

// counter is a hook that counts commands, without what a connection says to introduce itself.
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
