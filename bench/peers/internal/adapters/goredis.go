package adapters

import (
	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/bench/internal/live/redisstore"
)

// Client makes a client with the defaults of go-redis but for one: deadlines of contexts end a command, else the comparison of callers with
// deadlines would be one of go-redis' default socket timeouts. It dials nothing yet.
func (p Place) Client() *redis.Client {
	client := redis.NewClient(&redis.Options{Addr: p.Addr, ContextTimeoutEnabled: true})
	if p.Operation != nil {
		client.AddHook(redisstore.Counter(p.Operation))
	}
	return client
}
