package redisadapter

import (
	"context"
	"fmt"
	"reflect"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/cacheaside"
)

// processor sends one command.
type processor interface {
	Process(ctx context.Context, cmd redis.Cmder) error
}

// port is a client made fit: its commands end at their context's deadline.
type port struct {
	reads, writes processor
	pool          func(ctx context.Context, physicalKey string) *redis.PoolStats // of the node that has the key; nil if that is not known
	poolSize      int                                                            // of each node
}

// clientTerms are what a client is judged by.
type clientTerms struct {
	lookup, record          time.Duration
	staleReads, ringAllowed bool
}

// admitted is what the three kinds of client have in common.
type admitted struct {
	contextTimeout bool
	options        clientOptions
	staleOption    string // the option by which replicas are read, if any
	isRing         bool
	cloned         bool // used through clones
}

// admit decides whether a client can keep the promises, and makes it fit.
//
// A client that heeds the deadline of a context is used as it is. A *redis.Client that does not is used through clones that share its pool and do;
// hooks are not part of a clone, so that tracing does not see the cache then. Of any other client nothing ends a read in time.
func admit(client redis.UniversalClient, terms clientTerms) (port, []Warning, error) {
	if isNil(client) {
		return port{}, nil, &cacheaside.FieldError{Field: "client", Value: "nil", Rule: "must not be nil"}
	}
	a, known := inspect(client)
	if !known {
		return port{}, nil, &cacheaside.FieldError{
			Field: "client", Value: fmt.Sprintf("a %T", client), Rule: "must be, or embed, a *redis.Client, *redis.ClusterClient or *redis.Ring",
		}
	}
	if err := terms.judge(a); err != nil {
		return port{}, nil, err
	}
	p := port{reads: client, writes: client, pool: poolOf(client), poolSize: a.options.poolSize}
	if fault := a.unbounded(); fault != nil {
		plain, ok := client.(*redis.Client)
		if !ok {
			return port{}, nil, fault
		}
		reads, writes := bounded(plain, terms.lookup), bounded(plain, terms.record)
		if reads == nil || writes == nil {
			return port{}, nil, fault
		}
		p.reads, p.writes, a.cloned = reads, writes, true
	}
	return p, warnings(a, terms), nil
}

func (t clientTerms) judge(a admitted) error {
	if a.staleOption != "" && !t.staleReads {
		return &cacheaside.FieldError{
			Field: "client.Options." + a.staleOption, Value: "true",
			Rule: "must be off, or Config.StaleReadsAccepted on: a replica may not have seen the last write or invalidation",
		}
	}
	if a.isRing && !t.ringAllowed {
		return &cacheaside.FieldError{
			Field: "client", Value: "a *redis.Ring",
			Rule: "must be a *redis.Client or *redis.ClusterClient, or Config.LostInvalidationsAccepted on: a ring moves keys between servers, and what was invalidated can come back",
		}
	}
	return nil
}

// unbounded names the option by which a command may outlive its context's deadline: the switch itself, or a timeout that switches deadlines off.
func (a admitted) unbounded() error {
	switch o := a.options; {
	case !a.contextTimeout:
		return &cacheaside.FieldError{
			Field: "client.Options.ContextTimeoutEnabled", Value: "false", Rule: "must be true: nothing else ends a command at its time limit",
		}
	case a.never(o.readTimeout):
		return &cacheaside.FieldError{Field: "client.Options.ReadTimeout", Value: "negative", Rule: "must not switch deadlines off"}
	case a.never(o.writeTimeout):
		return &cacheaside.FieldError{Field: "client.Options.WriteTimeout", Value: "negative", Rule: "must not switch deadlines off"}
	}
	return nil
}

// never tells whether a timeout of the client means that sockets get no deadline at all, not even a context's. A ring has -1, no timeout of its own,
// where the others have 0 by the time they can be asked.
func (a admitted) never(timeout time.Duration) bool {
	return timeout < 0 && !(a.isRing && timeout == -1)
}

func isNil(client redis.UniversalClient) bool {
	if client == nil {
		return true
	}
	v := reflect.ValueOf(client)
	return v.Kind() == reflect.Pointer && v.IsNil()
}

// inspect reads the options of the three kinds of client, or of a type that embeds one.
func inspect(client redis.UniversalClient) (found admitted, known bool) {
	defer func() {
		if recover() != nil { // it embeds a client that is nil
			found, known = admitted{}, false
		}
	}()
	switch c := client.(type) {
	case interface{ Options() *redis.Options }:
		o := c.Options()
		return admitted{
			contextTimeout: o.ContextTimeoutEnabled,
			options:        clientOptions{o.MaxRetries, o.DialerRetries, o.DialTimeout, o.ReadTimeout, o.WriteTimeout, o.PoolSize},
		}, true
	case interface{ Options() *redis.ClusterOptions }:
		o := c.Options()
		a := admitted{
			contextTimeout: o.ContextTimeoutEnabled,
			options:        clientOptions{0, o.DialerRetries, o.DialTimeout, o.ReadTimeout, o.WriteTimeout, o.PoolSize},
		}
		switch { // routing switches ReadOnly on by itself, so the cause is named first
		case o.RouteByLatency:
			a.staleOption = "RouteByLatency"
		case o.RouteRandomly:
			a.staleOption = "RouteRandomly"
		case o.ReadOnly:
			a.staleOption = "ReadOnly"
		}
		return a, true
	case interface{ Options() *redis.RingOptions }:
		o := c.Options()
		return admitted{
			contextTimeout: o.ContextTimeoutEnabled, isRing: true,
			options: clientOptions{0, o.DialerRetries, o.DialTimeout, o.ReadTimeout, o.WriteTimeout, o.PoolSize},
		}, true
	}
	return admitted{}, false
}

// bounded returns a clone of the client, over the same pool, whose commands and handshakes end at the deadline of their context and after limit at
// the latest. It returns nil if the clone cannot be made so.
//
// WithTimeout alone limits each read and each write anew, so that a pool wait, a handshake and a reply could take a multiple of the limit; only a
// context's deadline limits their sum. Whether a client heeds it is an option of it, and the clone's options are a copy of its own.
func bounded(client *redis.Client, limit time.Duration) *redis.Client {
	clone := client.WithTimeout(limit)
	options := clone.Options()
	if options == client.Options() {
		return nil
	}
	options.ContextTimeoutEnabled = true
	if !clone.Options().ContextTimeoutEnabled {
		return nil
	}
	return clone
}

// poolOf tells about the pool of the very node that serves a key: on a cluster and a ring every node has one, and the sum of all tells of none.
func poolOf(client redis.UniversalClient) func(context.Context, string) *redis.PoolStats {
	switch c := client.(type) {
	case interface {
		MasterForKey(ctx context.Context, key string) (*redis.Client, error)
	}:
		return func(ctx context.Context, key string) *redis.PoolStats { return statsOf(c.MasterForKey(ctx, key)) }
	case interface {
		GetShardClientForKey(key string) (*redis.Client, error)
	}:
		return func(_ context.Context, key string) *redis.PoolStats { return statsOf(c.GetShardClientForKey(key)) }
	}
	return func(context.Context, string) *redis.PoolStats { return client.PoolStats() }
}

func statsOf(node *redis.Client, err error) *redis.PoolStats {
	if err != nil {
		return nil
	}
	return node.PoolStats()
}
