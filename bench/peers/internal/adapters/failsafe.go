package adapters

import (
	"context"
	"encoding/json"
	"time"

	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/bulkhead"
	"github.com/failsafe-go/failsafe-go/cachepolicy"
	"github.com/failsafe-go/failsafe-go/circuitbreaker"
	"github.com/failsafe-go/failsafe-go/retrypolicy"
	"github.com/failsafe-go/failsafe-go/timeout"
	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/bench/internal/contender"
)

func failsafePeer(at Place) Peer {
	return Peer{
		Contender: contender.Contender{
			ID: "failsafe-go", Name: "cache policy, retry, breaker, bulkhead, timeout",
			Open: func(node contender.Node) (contender.Reader, error) { return openFailsafe(node, at), nil },
		},
		Module: "github.com/failsafe-go/failsafe-go",
		Keeps:  inRedis,
		Page:   "https://failsafe-go.dev/policies/#composition-recommendations",
	}
}

// Limits of the policies. The breaker's are the example of its page, the retries are the default; those of bulkhead and timeout are this library's
// Survive preset, and those of the store its defaults, so that bounds are compared and not numbers.
const (
	failsafeFailures   = 5
	failsafeDelay      = time.Minute
	failsafeSuccesses  = 2
	failsafeConcurrent = 32
	failsafeWait       = 250 * time.Millisecond
	failsafeTimeout    = 2 * time.Second

	plainLookupLimit = 100 * time.Millisecond
	plainWriteLimit  = 250 * time.Millisecond
)

type failsafeReader struct {
	at       Place
	store    plainStore
	executor failsafe.Executor[contender.Row]
	source   contender.Source
	knowledge
}

// openFailsafe composes the policies in the order that the page on policies recommends, without a fallback, since there is no other value to
// fall back to: cache, retry, circuit breaker, bulkhead, timeout. Retry and breaker handle the source's failure and the timeout, as the examples
// of their pages name the errors that they handle: neither a missing row nor a full bulkhead is a failure of the source.
func openFailsafe(node contender.Node, at Place) contender.Reader {
	store := plainStore{client: at.Client(), ttl: node.TTL.Soft}
	failures := []error{contender.ErrSource, timeout.ErrExceeded}
	return &failsafeReader{
		at:    at,
		store: store,
		executor: failsafe.With[contender.Row](
			cachepolicy.New[contender.Row](store),
			retrypolicy.NewBuilder[contender.Row]().HandleErrors(failures...).Build(),
			circuitbreaker.NewBuilder[contender.Row]().HandleErrors(failures...).
				WithFailureThreshold(failsafeFailures).WithDelay(failsafeDelay).WithSuccessThreshold(failsafeSuccesses).Build(),
			bulkhead.NewBuilder[contender.Row](failsafeConcurrent).WithMaxWaitTime(failsafeWait).Build(),
			timeout.New[contender.Row](failsafeTimeout),
		),
		source: node.Source,
		knowledge: knowledge{refused: map[error]string{
			bulkhead.ErrFull:       "bulkhead full",
			circuitbreaker.ErrOpen: "breaker open",
			timeout.ErrExceeded:    "timeout",
		}},
	}
}

func (r *failsafeReader) Get(ctx context.Context, key uint64) contender.Answer {
	return r.ask(ctx, func() (contender.Row, error) {
		keyed := cachepolicy.ContextWithCacheKey(ctx, r.at.key("failsafe-go", key))
		return r.executor.WithContext(keyed).GetWithExecution(func(execution failsafe.Execution[contender.Row]) (contender.Row, error) {
			return r.source.Load(execution.Context(), key)
		})
	})
}

func (r *failsafeReader) Invalidate(ctx context.Context, key uint64) error {
	return r.store.client.Del(ctx, r.at.key("failsafe-go", key)).Err()
}

func (r *failsafeReader) Close(context.Context) error { return r.store.client.Close() }

// plainStore is the cache behind the cache policy, as people write it: GET and SET of JSON, and an error is a miss. The policy hands no context
// over, so its time limits are its own.
type plainStore struct {
	client *redis.Client
	ttl    time.Duration
}

func (s plainStore) Get(key string) (row contender.Row, found bool) {
	ctx, cancel := context.WithTimeout(context.Background(), plainLookupLimit)
	defer cancel()
	text, err := s.client.Get(ctx, key).Bytes()
	if err != nil {
		return contender.Row{}, false
	}
	if err := json.Unmarshal(text, &row); err != nil {
		return contender.Row{}, false
	}
	return row, true
}

func (s plainStore) Set(key string, row contender.Row) {
	text, err := json.Marshal(row)
	if err != nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), plainWriteLimit)
	defer cancel()
	// The policy takes no error, and the value is the caller's already.
	_ = s.client.Set(ctx, key, text, s.ttl).Err()
}
