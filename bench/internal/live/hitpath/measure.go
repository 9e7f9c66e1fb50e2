package hitpath

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/vmihailenco/msgpack/v5"

	"github.com/cacheaside/resilience/bench/internal/live/redisstore"
)

// Figure is the reading of one shape of value over one kind of connection.
type Figure struct {
	Shape      string // "200 B struct"
	Bytes      int    // of the payload
	Goroutines int
	Processor  bool // processor time over a connection that answers by itself, else time over loopback
	Reading
}

// Figures is how many Measure gives.
const Figures = 3 * 3

// Many is how many goroutines read where it is not one.
const Many = 64

// Measure reads three shapes of values for the given time each way: processor time with one goroutine, then time over the connection to the Redis
// with one and with 64. Each figure is handed over as it is found. fenced reads under leases across the fleet. The keys are left for the space to sweep.
func Measure(ctx context.Context, space redisstore.Space, fenced bool, each time.Duration, found func(Figure)) error {
	client, err := space.OpenPatient(Many)
	if err != nil {
		return err
	}
	defer client.Close()
	m := measurement{space, client, fenced, each, found}
	return errors.Join(
		compare(ctx, m, "200 B struct", "small", orderOf(200)),
		compare(ctx, m, "10 KB struct", "large", orderOf(10<<10)),
		compare(ctx, m, "10 KB opaque", "opaque", opaqueOf(10<<10)),
	)
}

type measurement struct {
	space  redisstore.Space
	client *redis.Client
	fenced bool
	each   time.Duration
	found  func(Figure)
}

const (
	key         = "k"
	lookupLimit = 10 * time.Second // a busy machine is to slow a read down, not to fail it
)

var errMissed = errors.New("hit path: a read of a warm key found nothing")

// compare measures one shape of value.
func compare[V any](ctx context.Context, m measurement, shape, region string, value V) error {
	if ctx.Err() != nil {
		return nil // the shape before has said so
	}
	payload, err := msgpack.Marshal(value)
	if err != nil {
		return err
	}
	rawKey := m.space.Namespace + ":raw:" + region
	if err := m.client.Set(ctx, rawKey, payload, time.Hour).Err(); err != nil {
		return err
	}
	overLoopback, err := openReads[V](m, m.client, region, m.fenced)
	if err != nil {
		return err
	}
	defer overLoopback.close()
	entry, err := overLoopback.fill(ctx, m, region, value)
	if err != nil {
		return err
	}
	// On connections of its own, since one that answers by itself has one answer.
	cannedRaw, cannedEntry := canned(string(payload)), canned(entry)
	defer cannedRaw.Close()
	defer cannedEntry.Close()
	alone, err := openReads[V](m, cannedEntry, region, m.fenced)
	if err != nil {
		return err
	}
	defer alone.close()
	for _, way := range []struct {
		goroutines int
		processor  bool
		raw        *redis.Client
		through    reads[V]
	}{{1, true, cannedRaw, alone}, {1, false, m.client, overLoopback}, {Many, false, m.client, overLoopback}} {
		clock := timeOfDay()
		if way.processor {
			clock = processor()
		}
		raw := func() error {
			text, err := way.raw.Get(context.Background(), rawKey).Bytes()
			if err != nil {
				return err
			}
			var v V
			return msgpack.Unmarshal(text, &v)
		}
		reading, err := inTurns(ctx, m.each, clock, way.goroutines, raw, way.through.hit)
		if err != nil {
			return fmt.Errorf("hit path, %s: %w", shape, err)
		}
		m.found(Figure{Shape: shape, Bytes: len(payload), Goroutines: way.goroutines, Processor: way.processor, Reading: reading})
	}
	return nil
}
