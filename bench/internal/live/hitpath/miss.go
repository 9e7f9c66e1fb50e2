package hitpath

import (
	"context"
	"errors"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/cacheaside/resilience/bench/internal/live/redisstore"
	"github.com/cacheaside/resilience/cacheaside"
)

// Miss is what a read of a key that is not there costs from end to end, with a source that answers at once: with leases across the fleet beside
// without. In Reading, Raw stands for without and Get for with.
type Miss struct {
	Reading
	LocalCommands, FleetCommands float64 // that a read sends
}

// MeasureMiss reads cold keys over the connection to the Redis for the given time. The keys are left for the space to sweep.
func MeasureMiss(ctx context.Context, space redisstore.Space, lasts time.Duration) (Miss, error) {
	client, err := space.OpenPatient(1)
	if err != nil {
		return Miss{}, err
	}
	defer client.Close()
	var sent atomic.Int64
	client.AddHook(redisstore.Counter(func() { sent.Add(1) }))
	m := measurement{space: space, client: client}
	local, errLocal := openReads[[]byte](m, client, "local", false)
	fleet, errFleet := openReads[[]byte](m, client, "fleet", true)
	if err := errors.Join(errLocal, errFleet); err != nil {
		return Miss{}, err
	}
	defer local.close()
	defer fleet.close()
	next := 0
	miss := func(r reads[[]byte], commands, made *float64) func() error {
		return func() error {
			before := sent.Load()
			next++
			err := r.miss(ctx, "cold-"+strconv.Itoa(next), opaqueOf(missBytes))
			*commands += float64(sent.Load() - before)
			*made++
			return err
		}
	}
	var localSent, localReads, fleetSent, fleetReads float64
	reading, err := inTurns(ctx, lasts, timeOfDay(), 1, miss(local, &localSent, &localReads), miss(fleet, &fleetSent, &fleetReads))
	if err != nil {
		return Miss{}, err
	}
	return Miss{reading, localSent / localReads, fleetSent / fleetReads}, nil
}

const missBytes = 200

var errNotStored = errors.New("hit path: a value that was loaded was not stored")

// miss reads a key that is not there, and fails unless the value is loaded and stored.
func (r reads[V]) miss(ctx context.Context, key string, value V) error {
	got, err := cacheaside.Get(ctx, r.region, key, func(context.Context, string) cacheaside.SourceOutcome[V] {
		return cacheaside.Loaded(value, "")
	})
	if err == nil && got.Record.Certainty != cacheaside.RecordApplied {
		return errNotStored
	}
	return err
}
