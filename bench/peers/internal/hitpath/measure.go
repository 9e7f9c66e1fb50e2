package hitpath

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/vmihailenco/msgpack/v5"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/peers/internal/adapters"
)

// Figure is one size of row read by so many goroutines at once, each way.
type Figure struct {
	Bytes, Goroutines int
	RawNanoseconds    float64 // of a raw GET and a decode
	RawRatio          float64 // the same code against itself
	Hits              []Hit   // in the order of the libraries
}

// Hit is what a library took for one.
type Hit struct {
	Library     string
	Nanoseconds float64
	Ratio       float64 // against raw
	Reads       int
	Misses      int // reads that were no hits, and are timed all the same
}

// Figures is how many Measure gives.
const Figures = 2 * 2

func sizes() []int { return []int{200, 10 << 10} }

const (
	many  = 64             // goroutines, where it is not one
	lives = 24 * time.Hour // far longer than a run, so that every read is a hit
	limit = 12 * time.Hour // of a read; a read with a deadline is what a service has

	warmUp    = 5 * time.Second // for a library to record what it has loaded
	warmEvery = 5 * time.Millisecond
	closing   = 3 * time.Second
)

// Measure reads rows of each size by one goroutine and by 64, each for the given time, and hands over each figure as it is found. Its keys are left
// at the place, below its namespace. When ctx ends it returns the cause; other errors are of a library or a Redis that cannot be read from.
func Measure(ctx context.Context, at adapters.Place, peers []adapters.Peer, lasts time.Duration, found func(Figure)) (err error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	client := at.Client()
	defer client.Close()
	var readers []contender.Reader
	defer func() { err = errors.Join(err, closeAll(readers)) }()
	for _, p := range peers {
		reader, err := p.Open(contender.Node{Source: rows{}, TTL: contender.TTL{Soft: lives, Hard: 2 * lives, Negative: lives}})
		if err != nil {
			return fmt.Errorf("hit path: %s cannot be opened: %w", p.ID, err)
		}
		readers = append(readers, reader)
	}
	for _, size := range sizes() {
		key := uint64(size)
		raw, err := rawWay(ctx, client, at.Namespace, key)
		if err != nil {
			return err
		}
		ways := []way{raw, raw}
		for i, reader := range readers {
			if err := warm(ctx, reader, key); err != nil {
				return fmt.Errorf("hit path: %s: %w", peers[i].ID, err)
			}
			ways = append(ways, way{read: func(ctx context.Context) bool { return reader.Get(ctx, key).Ending == contender.Hit }})
		}
		for _, goroutines := range []int{1, many} {
			timings, err := inTurns(ctx, lasts, goroutines, ways)
			if err != nil {
				return err
			}
			if failed := timings[0].misses + timings[1].misses; failed > 0 {
				return fmt.Errorf("hit path: %d of %d raw reads failed", failed, timings[0].reads+timings[1].reads)
			}
			found(figureOf(size, goroutines, peers, timings))
		}
	}
	return nil
}

// figureOf is of two raw ways and one of each library.
func figureOf(size, goroutines int, peers []adapters.Peer, timings []timing) Figure {
	raw := (timings[0].nanoseconds + timings[1].nanoseconds) / 2
	f := Figure{Bytes: size, Goroutines: goroutines, RawNanoseconds: raw, RawRatio: timings[1].nanoseconds / timings[0].nanoseconds}
	for i, t := range timings[2:] {
		f.Hits = append(f.Hits, Hit{
			Library: peers[i].ID, Nanoseconds: t.nanoseconds, Ratio: t.nanoseconds / raw, Reads: t.reads, Misses: t.misses,
		})
	}
	return f
}

// rawWay stores the row under a key of its own and reads it with nothing in between.
func rawWay(ctx context.Context, client *redis.Client, namespace string, key uint64) (way, error) {
	row, _ := rows{}.Load(ctx, key)
	text, err := msgpack.Marshal(row)
	if err != nil {
		return way{}, err
	}
	name := fmt.Sprintf("%s:raw:%d", namespace, key)
	if err := client.Set(ctx, name, text, time.Hour).Err(); err != nil {
		return way{}, fmt.Errorf("hit path: %w", err)
	}
	return way{read: func(ctx context.Context) bool {
		text, err := client.Get(ctx, name).Bytes()
		var row contender.Row
		return err == nil && msgpack.Unmarshal(text, &row) == nil && len(row.Body) == int(key)
	}}, nil
}

// warm reads until the row is a hit: some libraries record after they have answered.
func warm(ctx context.Context, reader contender.Reader, key uint64) error {
	ctx, cancel := context.WithTimeout(ctx, warmUp)
	defer cancel()
	ticker := time.NewTicker(warmEvery)
	defer ticker.Stop()
	for {
		answer := reader.Get(ctx, key)
		if answer.Ending == contender.Hit && len(answer.Row.Body) == int(key) {
			return nil
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return fmt.Errorf("a warm key is no hit: %s %s", answer.Ending, answer.Reason)
		}
	}
}

func closeAll(readers []contender.Reader) error {
	ctx, cancel := context.WithTimeout(context.Background(), closing)
	defer cancel()
	var errs []error
	for _, reader := range readers {
		errs = append(errs, reader.Close(ctx))
	}
	return errors.Join(errs...)
}

// rows is a source that holds a row of as many bytes as the key says.
type rows struct{}

func (rows) Load(_ context.Context, key uint64) (contender.Row, error) {
	return contender.Row{Version: 1, ReadAt: time.Now().UnixMicro(), Body: bytes.Repeat([]byte{'x'}, int(key))}, nil
}
