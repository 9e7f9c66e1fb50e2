package servers_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/redisadapter"
)

const (
	bookRegion = "book"
	shopRegion = "shop"
	hands      = 3
	shoppers   = 3

	lookupLimit = time.Second // where a trial is not about time limits
	recordLimit = 2 * time.Second
	stagedLife  = recordLimit + 5*time.Second
	life        = 30 * time.Minute

	// pace is how long each goroutine of the traffic waits between two steps, so that the machine has time for the servers too.
	pace = 4 * time.Millisecond
)

// setup is what trials differ in.
type setup struct {
	pages, wares []string // keys; nil means some of its own
	mix          mix
	lookup       time.Duration // 0 means lookupLimit; the record's limit is then twice that
}

// trial is traffic of a book and a shop on one client, with one breaker.
type trial struct {
	t       testing.TB
	cache   *redisadapter.Cache[string, string]
	book    *book
	shop    *shop
	breaker *redisadapter.Breaker
	writers []*hand
	ids     atomic.Int64

	gate    sync.RWMutex // steps hold it for reading; who wants no step to run holds it for writing
	cancel  context.CancelFunc
	running sync.WaitGroup
}

func newTrial(t testing.TB, client redis.UniversalClient, s setup) *trial {
	t.Helper()
	if s.mix == (mix{}) {
		s.mix = evenMix
	}
	for i := range 12 {
		if len(s.pages) <= i {
			s.pages = append(s.pages, fmt.Sprint("page-", i))
		}
	}
	if s.wares == nil {
		s.wares = []string{"ware-0", "ware-1", "ware-2", "ware-3"}
	}
	tr := &trial{t: t, book: newBook(s.pages), breaker: new(redisadapter.Breaker)}
	t.Cleanup(func() { _ = tr.breaker.Close() })
	tr.cache = openCache(t, client, cacheConfig(bookRegion, time.Millisecond, s.lookup, tr.breaker))
	tr.shop = &shop{book: tr.book}
	for _, key := range s.wares {
		tr.shop.wares = append(tr.shop.wares, &ware{key: key})
	}
	for i := range tr.shop.regions {
		tr.shop.regions[i] = openRegion(t, openCache(t, client, cacheConfig(shopRegion, life, s.lookup, tr.breaker)))
	}
	for i := range hands {
		h := &hand{cache: tr.cache, book: tr.book, mix: s.mix, dice: dice(i), ids: &tr.ids}
		for j := i; j < len(tr.book.pages); j += hands {
			h.pages = append(h.pages, tr.book.pages[j])
		}
		tr.writers = append(tr.writers, h)
	}
	return tr
}

func cacheConfig(region string, soft, lookup time.Duration, breaker *redisadapter.Breaker) redisadapter.Config[string, string] {
	cfg := redisadapter.Config[string, string]{
		Namespace: namespace, Region: region, Secret: []byte(secret), Breaker: breaker,
		TTL:           redisadapter.TTLPolicy{Soft: soft, Hard: life, Negative: life, TombstoneTTL: life},
		LookupTimeout: lookupLimit, RecordTimeout: recordLimit,
	}
	if lookup != 0 {
		cfg.LookupTimeout, cfg.RecordTimeout = lookup, 2*lookup
	}
	return cfg
}

func openCache(t testing.TB, client redis.UniversalClient, cfg redisadapter.Config[string, string]) *redisadapter.Cache[string, string] {
	t.Helper()
	cache, err := redisadapter.New(client, cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cache.Close() })
	return cache
}

// openRegion makes a region that fails on whatever it cannot believe, and is patient: no trial is about the bounds of the source.
func openRegion(t testing.TB, cache *redisadapter.Cache[string, string]) *cacheaside.Region[string, string] {
	t.Helper()
	policy := cacheaside.StrictPolicy()
	policy.AdmissionWait, policy.LoadDeadline, policy.RecordWait = patience, patience, patience
	region, err := cacheaside.NewRegion(cacheaside.RegionConfig[string, string]{Name: shopRegion, Cache: cache, Policy: policy})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := region.Close(ctx); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return region
}

func dice(seed int) *rand.Rand { return rand.New(rand.NewPCG(uint64(seed), rand.Uint64())) }

// start lets the traffic run until stop, or until the test's end.
func (tr *trial) start() {
	ctx, cancel := context.WithCancel(context.Background())
	tr.cancel = cancel
	for i, h := range tr.writers {
		tr.run(ctx, h.step)
		look := &hand{cache: tr.cache, book: tr.book, pages: tr.book.pages, dice: dice(i)}
		tr.run(ctx, look.reader)
	}
	for i := range shoppers {
		d := dice(i)
		tr.run(ctx, func(ctx context.Context) { tr.shop.buy(ctx, d) })
	}
	d := dice(0)
	tr.run(ctx, func(ctx context.Context) { tr.shop.change(ctx, d) })
	tr.t.Cleanup(tr.stop)
}

func (tr *trial) run(ctx context.Context, step func(context.Context)) {
	tr.running.Go(func() {
		tick := time.NewTicker(pace)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				tr.gate.RLock()
				step(context.WithoutCancel(ctx)) // a step that has begun is no caller that left
				tr.gate.RUnlock()
			}
		}
	})
}

// stop ends the traffic. It may be called again.
func (tr *trial) stop() {
	if tr.cancel != nil {
		tr.cancel()
	}
	tr.running.Wait()
}

// await waits until so many more things were counted whose names so has been asked for.
func (tr *trial) await(what string, more int, so func(string) bool) {
	tr.t.Helper()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	limit := time.NewTimer(patience)
	defer limit.Stop()
	for from := tr.book.total(so); tr.book.total(so) < from+more; {
		select {
		case <-tick.C:
		case <-limit.C:
			tr.report()
			tr.t.Fatalf("waited in vain for %d more of %s; counted %v", more, what, tr.book.snapshot())
		}
	}
}

// report fails the test for whatever the book has against the cache.
func (tr *trial) report() {
	tr.t.Helper()
	tr.book.audit()
	tr.book.mu.Lock()
	defer tr.book.mu.Unlock()
	for _, trouble := range tr.book.troubles {
		tr.t.Error(trouble)
	}
	if len(tr.book.troubles) > 0 {
		tr.t.Log(tr.book.counts)
	}
}
