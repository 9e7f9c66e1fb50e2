package live

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/live/remote"
	"github.com/cacheaside/resilience/bench/internal/measure"
	"github.com/cacheaside/resilience/bench/internal/workload"
)

const (
	sourceConnections = 2
	warmCallers       = 16
	leastConnections  = 32               // calls under way at once before the run
	warmWait          = 30 * time.Second // for one read of the warm-up
	closeWait         = 2 * time.Second
)

// node is a contender at work in a worker process.
type node struct {
	job     job
	start   time.Time
	reader  contender.Reader
	source  *gate
	counted atomic.Pointer[measure.Collector]
	closers []func()
}

// openNode opens what a contender needs and the contender; only the source is dialled.
func openNode(ctx context.Context, j job, lookup Lookup) (*node, error) {
	n := &node{job: j}
	c, known := lookup(j.Contender, Endpoint{URL: j.Space.URL, Namespace: j.Space.Namespace, Operation: n.operation})
	if !known {
		return nil, fmt.Errorf("live: this program knows no contender %q", j.Contender)
	}
	client, err := remote.Dial(ctx, j.Source, sourceConnections)
	if err != nil {
		return nil, err
	}
	client.Deaf = j.DeafSource
	n.source = &gate{behind: client, bodyBytes: j.BodyBytes, asked: make(chan struct{})}
	n.closers = append(n.closers, client.Close)
	dice := new(atomic.Uint64)
	parts := contender.Node{
		Number: j.Node, Source: n.source, TTL: j.TTL, Policy: j.Tuning.apply,
		Random: func() float64 {
			return workload.Uniform(j.Seed, workload.Dice, dice.Add(1)*uint64(j.Nodes)+uint64(j.Node))
		},
	}
	if c.Library {
		cache, err := j.Space.OpenLibrary(j.TTL, c.Fenced, n.operation)
		if err != nil {
			n.close()
			return nil, err
		}
		parts.Cache = cache
		n.closers = append(n.closers, func() { _ = cache.Close() })
	} else {
		store, err := j.Space.OpenPlain(n.operation)
		if err != nil {
			n.close()
			return nil, err
		}
		parts.Store = store
		n.closers = append(n.closers, func() { _ = store.Close() })
	}
	if n.reader, err = c.Open(parts); err != nil {
		n.close()
		return nil, fmt.Errorf("live: %s cannot be opened: %w", j.Contender, err)
	}
	return n, nil
}

// close ends the source's connections first, which ends the loads that the reader would wait for.
func (n *node) close() {
	for i, end := range n.closers {
		end()
		if i == 0 && n.reader != nil {
			ctx, cancel := context.WithTimeout(context.Background(), closeWait)
			_ = n.reader.Close(ctx) // what does not end in time ends with the process
			cancel()
		}
	}
}

// operation counts a command that is sent to the store.
func (n *node) operation() {
	if counts := n.counted.Load(); counts != nil {
		counts.StoreOperation(time.Now())
	}
}

func (n *node) counts() *measure.Collector { return n.counted.Load() }

// begin lets the counting start, at a time that is still to come, and the source be the real one.
func (n *node) begin(start time.Time) {
	n.start = start
	n.counted.Store(measure.New(start, n.job.Deadline))
	n.source.open.Store(true)
}

// warm reads this node's share of the keys once, from a source that takes no time, so that they are in the store.
func (n *node) warm(ctx context.Context) error {
	var failed atomic.Pointer[error]
	var next atomic.Uint64
	var callers sync.WaitGroup
	for range warmCallers {
		callers.Go(func() {
			for ctx.Err() == nil && failed.Load() == nil {
				key := next.Add(1) - 1
				if key >= uint64(n.job.Keys) {
					return
				}
				if key%uint64(n.job.Nodes) != uint64(n.job.Node) {
					continue
				}
				read, cancel := context.WithTimeout(ctx, warmWait)
				got := n.reader.Get(read, key)
				cancel()
				if !got.Ending.Answered() && ctx.Err() == nil {
					err := fmt.Errorf("live: %s cannot read key %d before the run: %v %s", n.job.Contender, key, got.Ending, got.Reason)
					failed.Store(&err)
				}
			}
		})
	}
	callers.Wait()
	if err := failed.Load(); err != nil {
		return *err
	}
	n.connect(ctx)
	return ctx.Err()
}

// connect has as many calls under way at once as the play will have, so that none of them waits for a connection to be made.
func (n *node) connect(ctx context.Context) {
	var callers sync.WaitGroup
	defer callers.Wait()
	for range max(n.job.Callers, leastConnections) {
		callers.Go(func() {
			read, cancel := context.WithTimeout(ctx, warmWait)
			defer cancel()
			n.reader.Get(read, 0)
		})
	}
}

// gate is the source as a node sees it: one that takes no time until it is opened, then the real one.
type gate struct {
	behind    *remote.Client
	bodyBytes int
	open      atomic.Bool
	once      sync.Once
	asked     chan struct{} // closed with the first load of the real one
}

func (g *gate) Load(ctx context.Context, key uint64) (contender.Row, error) {
	if g.open.Load() {
		g.once.Do(func() { close(g.asked) })
		return g.behind.Load(ctx, key)
	}
	row := remote.RowOf(key, g.bodyBytes, time.Now())
	if row.Version == 0 {
		return contender.Row{}, contender.ErrNoRow
	}
	return row, nil
}
