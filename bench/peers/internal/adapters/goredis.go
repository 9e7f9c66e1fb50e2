package adapters

import (
	"github.com/redis/go-redis/v9"
)

// newClient makes a client with the defaults of go-redis but for one: deadlines of contexts end a command, else the comparison of callers with
// deadlines would be one of go-redis' default socket timeouts.
func newClient(addr string) *redis.Client {
	return redis.NewClient(&redis.Options{Addr: addr, ContextTimeoutEnabled: true})
}
