package fleet_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

// raceLease is the life of the grants in a race.
const raceLease = time.Minute

// port is what the processes of a race have in their hands.
type port interface {
	cacheaside.Cache[string, string]
	cacheaside.Fencer[string, string]
}

// arena is a store with the instances that race on it, and what may happen to it in between. What is nil does not happen.
type arena struct {
	ports []port
	plain cacheaside.Invalidator[string] // an instance of the region without fences

	loseFence func(key string)
	loseEntry func(key string)
	pass      func(key string) // lets a lease go by
	flush     func()
	restart   func()
	large     bool // some values are above 64 KiB
}

// race is one seeded order of the steps of some readers and writers of one key. Each step is one step of the store's, so that any schedule of
// processes comes down to such an order.
type race struct {
	*arena
	rng     *rand.Rand
	key     string
	source  int // the row's version
	floor   int // the version that the last completed invalidation announced
	readers [3]raceReader
	writers [2]raceWriter
	trace   []string
}

type raceReader struct {
	port    port
	step    int
	request cacheaside.RequestID
	seen    cacheaside.Observation
	fence   cacheaside.Fence
	loaded  int
}

type raceWriter struct {
	announces int // 0: nothing is updated
}

// runRace tells what was read that must not be any more, or nothing.
func runRace(a *arena, seed uint64, steps int) (found string, fills int) {
	r := &race{arena: a, rng: rand.New(rand.NewPCG(seed, 1)), key: "key-" + strconv.FormatUint(seed, 10), source: 1} //nolint:gosec // seeded
	for i := range r.readers {
		r.readers[i].port = a.ports[i%len(a.ports)]
	}
	for range steps {
		if found = r.step(&fills); found != "" {
			return fmt.Sprintf("seed %d: %s; %s", seed, found, strings.Join(r.trace, ", ")), fills
		}
	}
	return "", fills
}

func (r *race) note(format string, args ...any) {
	r.trace = append(r.trace, fmt.Sprintf(format, args...))
}

func (r *race) step(fills *int) string {
	switch dice := r.rng.IntN(100); {
	case dice < 65:
		i := r.rng.IntN(len(r.readers))
		return r.read(i, &r.readers[i], fills)
	case dice < 86:
		i := r.rng.IntN(len(r.writers))
		r.write(i, &r.writers[i])
	case dice < 91 && r.loseFence != nil:
		r.note("the fence record is lost")
		r.loseFence(r.key)
	case dice < 95 && r.pass != nil:
		r.note("a lease goes by")
		r.pass(r.key)
	case dice < 98 && r.loseEntry != nil:
		r.note("the entry is lost")
		r.loseEntry(r.key)
	case dice < 99 && r.flush != nil:
		r.note("everything is lost")
		r.flush()
	case r.restart != nil && r.rng.IntN(20) == 0:
		r.note("the server is killed and started again")
		r.restart()
	}
	return ""
}

// read lets a reader take its next step: look, ask for a grant, load, fill.
func (r *race) read(i int, reader *raceReader, fills *int) string {
	ctx := context.Background()
	switch reader.step {
	case 0:
		found := reader.port.Lookup(ctx, r.key)
		if wrong := r.judge(found); wrong != "" {
			return wrong
		}
		reader.seen = found.Observation
		binary.BigEndian.PutUint64(reader.request[:], r.rng.Uint64())
		reader.step = 1
	case 1:
		grant := reader.port.Acquire(ctx, r.key, reader.request, reader.seen, raceLease)
		r.note("%d is %v", i, grant.Kind)
		if grant.Kind != cacheaside.GrantGranted {
			reader.step = 0
			return ""
		}
		reader.fence, reader.step = grant.Fence, 2
	case 2:
		reader.loaded, reader.step = r.source, 3
		r.note("%d loads %d", i, reader.loaded)
	case 3:
		return r.fill(i, reader, fills)
	}
	return ""
}

func (r *race) fill(i int, reader *raceReader, fills *int) string {
	ctx := context.Background()
	if r.rng.IntN(10) == 0 {
		r.note("%d releases", i)
		reader.port.Release(ctx, r.key, reader.fence)
		reader.step = 0
		return ""
	}
	text := strconv.Itoa(reader.loaded)
	if r.large && r.rng.IntN(8) == 0 {
		text += strings.Repeat(" ", 70_000)
	}
	outcome := reader.port.Fill(ctx, r.key, reader.fence, cacheaside.Entry[string]{Value: text}, cacheaside.Condition{})
	r.note("%d fills %d: %v %v", i, reader.loaded, outcome.Certainty, outcome.Reason)
	if outcome.Certainty == cacheaside.RecordApplied {
		*fills++
	}
	if r.rng.IntN(4) != 0 {
		reader.step = 0
	}
	return r.judge(r.ports[r.rng.IntN(len(r.ports))].Lookup(ctx, r.key))
}

// write lets a writer update the row, or announce what it has updated.
func (r *race) write(i int, writer *raceWriter) {
	if writer.announces == 0 {
		r.source++
		writer.announces = r.source
		r.note("writer %d updates to %d", i, r.source)
		return
	}
	var able cacheaside.Invalidator[string] = r.ports[r.rng.IntN(len(r.ports))]
	if r.plain != nil && r.rng.IntN(3) == 0 {
		able = r.plain
	}
	outcome := able.Invalidate(context.Background(), r.key)
	r.note("writer %d invalidates: %v", i, outcome.Certainty)
	if outcome.Certainty == cacheaside.RecordApplied {
		r.floor = max(r.floor, writer.announces)
		writer.announces = 0
	}
}

// judge tells if what was found is older than the last completed invalidation.
func (r *race) judge(found cacheaside.Lookup[string]) string {
	if found.Kind != cacheaside.LookupFresh && found.Kind != cacheaside.LookupStale {
		return ""
	}
	version, err := strconv.Atoi(strings.TrimSpace(found.Value))
	if err != nil || version < r.floor {
		return fmt.Sprintf("%.20q is %v after an invalidation of %d", found.Value, found.Kind, r.floor)
	}
	return ""
}
