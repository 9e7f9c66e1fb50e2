package servers_test

import (
	"context"
	"fmt"
	"sync"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/internal/redistest"
)

// addPage gives the book one more key, which no hand writes.
func (b *book) addPage(key string) *page {
	p := newBook([]string{key}).pages[0]
	b.mu.Lock()
	defer b.mu.Unlock()
	b.pages = append(b.pages, p)
	return p
}

// killAmidst kills the server while mutations of all kinds are undecided. A part has been executed and its answers are held back: of large records it is
// the staging that was, of entries that are new the record itself. Of the others the server has not read a byte, since it was suspended before.
func (tr *trial) killAmidst(ctx context.Context, server *redistest.Server, proxy *redistest.Proxy, client *redis.Client, round int) {
	tr.t.Helper()
	tr.gate.Lock()
	defer tr.gate.Unlock()
	pages := tr.book.pages[:12]
	connect(ctx, client, 2*len(pages))
	where := map[*page]cacheaside.Condition{}
	for _, p := range pages {
		found := tr.cache.Lookup(ctx, p.key)
		tr.book.read(p, found, true)
		where[p] = cacheaside.Condition{Observation: found.Observation}
	}
	var sent sync.WaitGroup
	defer sent.Wait()
	send := func(p *page, size int) {
		sent.Go(func() { tr.writers[0].record(ctx, p, size, where[p], true) })
	}

	executed := server.Monitor()
	proxy.Inject(redistest.Fault{Kind: redistest.Hold, Commands: []string{"SET", "EVALSHA"}})
	for i := range 3 {
		send(pages[i], leastLarge)
		send(pages[3+i], 100)
		send(tr.book.addPage(fmt.Sprint("new-", round, "-", i)), 100)
	}
	executed.WaitForCommand("SET", 6)
	executed.WaitForCommand("EVALSHA", 3)

	before := proxy.Count("SET") + proxy.Count("EVALSHA")
	server.Pause()
	for i, p := range pages[6:] {
		if i%3 == 2 {
			sent.Go(func() { tr.book.end(p, tombstone, tr.cache.Invalidate(ctx, p.key), false) })
			continue
		}
		send(p, 100)
	}
	eventually(tr.t, "the second half of the mutations", func() bool { return proxy.Count("SET")+proxy.Count("EVALSHA") >= before+6 })
	server.Kill()
	proxy.ResetConnections()
	proxy.Heal()
}
