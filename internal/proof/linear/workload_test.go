package linear_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
)

const (
	keysAtOnce = 4
	// opsPerKey bounds the histories, one for each key, that the checker must order.
	opsPerKey = 100
)

// workload is several clients doing whatever they like to the same few keys, which are replaced by others as time goes on.
type workload struct {
	seed       uint64
	operations int
	begun      time.Time
	made       atomic.Int64
	values     atomic.Int64
	stop       context.CancelCauseFunc

	mu      sync.Mutex
	history history // guarded by mu
}

// run gives each address a client, and returns when all operations were made or an answer was given that nobody may give.
func (w *workload) run(ctx context.Context, open func(*redis.Options) (subject, error), options []*redis.Options) error {
	ctx, w.stop = context.WithCancelCause(ctx)
	w.begun = time.Now()
	var clients sync.WaitGroup
	for number, o := range options {
		clients.Go(func() {
			s, err := open(o)
			if err == nil {
				err = w.act(ctx, number, s)
				_ = s.close()
			}
			if err != nil {
				w.stop(err)
			}
		})
	}
	clients.Wait()
	err := context.Cause(ctx)
	w.stop(nil)
	return err
}

// verbs are what is done as often as it is listed.
var verbs = [...]verb{lookup, lookup, lookup, lookup, record, record, record, invalidate, remove}

// act is one client.
func (w *workload) act(ctx context.Context, number int, s subject) error {
	choose := rand.New(rand.NewPCG(w.seed, uint64(number)))
	last, latest := map[string]sight{}, "" // what it saw, and the key that it saw in the operation before
	for ctx.Err() == nil {
		made := int(w.made.Add(1))
		if made > w.operations {
			return nil
		}
		key := fmt.Sprintf("%d.%d", made/(keysAtOnce*opsPerKey), choose.IntN(keysAtOnce))
		o := operation{client: number, key: key, verb: verbs[choose.IntN(len(verbs))]}
		if latest != "" && choose.IntN(2) == 0 {
			o.key, o.verb = latest, record
		}
		if o.large = choose.IntN(6) == 0; o.verb == record && (o.key == latest || choose.IntN(2) == 0) {
			o.asked = last[o.key]
		}
		limit := time.Hour
		if choose.IntN(20) == 0 {
			limit = time.Duration(choose.IntN(3000)) * time.Microsecond
		}
		if err := w.do(ctx, s, &o, limit); err != nil {
			return fmt.Errorf("%s: %w", o, err)
		}
		if latest = ""; o.verb == lookup && o.result != nothing {
			latest, last[o.key] = o.key, o.seen
		}
		w.mu.Lock()
		w.history = append(w.history, o)
		w.mu.Unlock()
		if o.result == nothing {
			w.pause()
		}
	}
	return nil
}

// pause keeps a client that does not get through from using up the operations of all.
func (w *workload) pause() {
	w.made.Add(-1)
	<-time.After(time.Millisecond)
}

func (w *workload) do(ctx context.Context, s subject, o *operation, limit time.Duration) (err error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if o.verb == record {
		o.value = int(w.values.Add(1))
	}
	o.began = time.Since(w.begun)
	switch o.verb {
	case lookup:
		o.seen, o.result, err = s.lookup(ctx, o.key)
	case record:
		o.result, err = s.record(ctx, o.key, o.value, o.large, o.asked)
	case invalidate:
		o.result, err = s.invalidate(ctx, o.key)
	case remove:
		o.result = s.remove(ctx, o.key)
	case end:
	}
	o.ended = time.Since(w.begun)
	return err
}

// results counts what was told.
func (h history) results() map[string]int {
	counts := map[string]int{}
	for _, o := range h {
		counts[string(o.verb)+" "+string(o.result)]++
		if o.large && o.verb == record && !o.asked.none() {
			counts["swap "+string(o.result)]++
		}
	}
	return counts
}
