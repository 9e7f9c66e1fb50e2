package correctness

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/peers/internal/adapters"
)

// stage is what an experiment plays on: one library, one Redis, and keys that nobody else has.
type stage struct {
	peer    adapters.Peer
	at      adapters.Place
	first   uint64 // key; the others count up from it
	control func(order) error
	nodes   int
}

// order is what a child asks its parent to do to the Redis.
type order string

const (
	pause order = "pause"
	kill  order = "kill"
)

// errNoControl is what a child is told whose Redis is not this run's own.
var errNoControl = errors.New("the Redis is not this run's own")

// NotMeasured is an experiment that cannot be put to a library.
type NotMeasured struct{ Why string }

func (e *NotMeasured) Error() string { return e.Why }

func newStage(peer adapters.Peer, at adapters.Place, control func(order) error) *stage {
	return &stage{peer: peer, at: at, first: rand.Uint64() >> 1, control: control}
}

// open makes one more process' reader.
func (s *stage) open(source contender.Source, ttl contender.TTL) (contender.Reader, error) {
	s.nodes++
	return s.peer.Open(contender.Node{Number: s.nodes, Source: source, TTL: ttl, Random: rand.Float64})
}

// inspect gives a client for looking at what the library stored.
func (s *stage) inspect() *redis.Client {
	return redis.NewClient(&redis.Options{Addr: s.at.Addr, ContextTimeoutEnabled: true})
}

// settle is how long callers get to reach the place where they wait: nothing outside a library tells that they are there.
func settle(ctx context.Context) error { return wait(ctx, 150*time.Millisecond) }

// asks is a caller's read of the key that is its own, with a look at what it got: a row that the source never gave is no answer.
func asks(reader contender.Reader, source *source, key func(caller int) uint64) call {
	return func(ctx context.Context, caller int) contender.Answer {
		answer := reader.Get(ctx, key(caller))
		if answer.Ending.Answered() && answer.Ending != contender.Absent && !source.gave(key(caller), answer.Row) {
			return contender.Answer{Ending: contender.Failed, Reason: reasonWrong}
		}
		return answer
	}
}

// always is one key for every caller.
func always(key uint64) func(int) uint64 { return func(int) uint64 { return key } }

// read is one read with a deadline.
func read(ctx context.Context, reader contender.Reader, key uint64, deadline time.Duration) contender.Answer {
	ctx, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	return reader.Get(ctx, key)
}

// longTTL outlives every experiment.
func longTTL() contender.TTL {
	return contender.TTL{Soft: 30 * time.Second, Hard: time.Minute, Negative: 30 * time.Second}
}
