package adapters

import (
	"context"
	"errors"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/zeromicro/go-zero/core/breaker"
	"github.com/zeromicro/go-zero/core/stores/cache"
	"github.com/zeromicro/go-zero/core/stores/redis"
	"github.com/zeromicro/go-zero/core/syncx"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/live/redisstore"
)

func goZeroPeer(at Place) Peer {
	return Peer{
		Contender: contender.Contender{
			ID: "go-zero", Name: "cache.Take on its own Redis client",
			Open: func(node contender.Node) (contender.Reader, error) { return openGoZero(node, at) },
		},
		Module: "github.com/zeromicro/go-zero",
		Keeps:  inRedis,
		Page:   "https://go-zero.dev/en/docs/tutorials/mysql/cache",
	}
}

type goZeroReader struct {
	at     Place
	cache  cache.Cache
	source contender.Source
	knowledge
}

// openGoZero follows the page on its cache: a node of one Redis, the two expiries as options, and a not-found error of the caller's own. NonBlock
// is the default of its configuration files: no ping at the start. It rounds lifetimes up to seconds after a deviation of 5 %. Its Redis client
// has no option for time limits. Its breaker does not get to see how connections introduce themselves, see introduction.
func openGoZero(node contender.Node, at Place) (contender.Reader, error) {
	client, err := redis.NewRedis(redis.RedisConf{Host: at.Addr, Type: redis.NodeType, NonBlock: true, PingTimeout: time.Second},
		redis.WithHook(redisstore.Counter(at.count)), redis.WithHook(introduction{}))
	if err != nil {
		return nil, err
	}
	return &goZeroReader{
		at: at,
		cache: cache.NewNode(client, syncx.NewSingleFlight(), cache.NewStat("bench"), contender.ErrNoRow,
			cache.WithExpiry(node.TTL.Soft), cache.WithNotFoundExpiry(node.TTL.Negative)),
		source:    node.Source,
		knowledge: knowledge{refused: map[error]string{breaker.ErrServiceUnavailable: "store breaker open"}},
	}, nil
}

// introduction hides from the breaker that a Redis before 7.2 does not know CLIENT SETINFO, with which go-redis tells its name on each new connection.
// go-redis takes no notice of the error, but the breaker would count it as one of the store and refuse reads when a process begins, which would be a
// result about the server's age.
type introduction struct{}

func (introduction) DialHook(next goredis.DialHook) goredis.DialHook          { return next }
func (introduction) ProcessHook(next goredis.ProcessHook) goredis.ProcessHook { return next }

func (introduction) ProcessPipelineHook(next goredis.ProcessPipelineHook) goredis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []goredis.Cmder) error {
		err := next(ctx, cmds)
		for _, cmd := range cmds {
			if cmd.Name() != "client" {
				return err
			}
		}
		var answered goredis.Error // anything else is no answer of a server
		if errors.As(err, &answered) {
			return nil
		}
		return err
	}
}

func (r *goZeroReader) Get(ctx context.Context, key uint64) contender.Answer {
	return r.ask(ctx, func() (row contender.Row, err error) {
		err = r.cache.TakeCtx(ctx, &row, r.at.key("go-zero", key), func(into any) error {
			loaded, err := r.source.Load(ctx, key)
			if err != nil {
				return err
			}
			*into.(*contender.Row) = loaded
			return nil
		})
		return row, err
	})
}

func (r *goZeroReader) Invalidate(ctx context.Context, key uint64) error {
	return r.cache.DelCtx(ctx, r.at.key("go-zero", key))
}

// Close does nothing: the library keeps one client an address and its statistics for the life of the process.
func (r *goZeroReader) Close(context.Context) error { return nil }
