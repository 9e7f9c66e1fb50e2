package live

import (
	"fmt"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
)

// Auto as the address of Redis means to start the redis-server found on PATH.
const Auto = "auto"

// LongestRun is the greatest Duration.
const LongestRun = 10 * time.Minute

const (
	maxNodes      = 64
	shortestRun   = 500 * time.Millisecond
	maxCallers    = 100_000
	maxRequests   = 1_000_000 // a second
	defaultRate   = 2000
	defaultNodes  = 4
	defaultLength = 6 * time.Second
	defaultKeys   = 2000
	defaultWaits  = 200
	defaultLoad   = 100 * time.Millisecond
)

// Options is what to run. Zero values are the defaults, but Redis must be named.
type Options struct {
	Redis      string                // [Auto], or a URL: redis://user:password@host:port/db
	Nodes      int                   // processes at most; 4
	Seed       uint64                // of arrivals, keys and service times
	Duration   time.Duration         // of one run under load; 6 s. Runs with an outage take longer
	Contenders []contender.Contender // whose IDs the lookup given to [Worker] knows; [contender.All]
	Rate       float64               // requests a second of all nodes together; 2000
	Keys       int                   // that are asked for, by Zipf's law; 2000
	Callers    int                   // of one cold key in S9 and S10; 200
	Load       time.Duration         // how long a load takes in S9 and S10; 100 ms
}

// OptionError says which option cannot be.
type OptionError struct {
	Field string
	Value any
	Rule  string
}

func (e *OptionError) Error() string {
	return fmt.Sprintf("live: %s is %v, %s", e.Field, e.Value, e.Rule)
}

func (o Options) withDefaults() Options {
	set(&o.Nodes, defaultNodes)
	set(&o.Duration, defaultLength)
	set(&o.Rate, defaultRate)
	set(&o.Keys, defaultKeys)
	set(&o.Callers, defaultWaits)
	set(&o.Load, defaultLoad)
	if o.Contenders == nil {
		o.Contenders = contender.All()
	}
	return o
}

func set[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

func (o Options) validate() error {
	switch {
	case o.Redis == "":
		return &OptionError{"Redis", `""`, `must be "auto" or a URL`}
	case o.Nodes < 1 || o.Nodes > maxNodes:
		return &OptionError{"Nodes", o.Nodes, fmt.Sprintf("must be 1 to %d", maxNodes)}
	case o.Duration < shortestRun || o.Duration > LongestRun:
		return &OptionError{"Duration", o.Duration, fmt.Sprintf("must be %v to %v", shortestRun, LongestRun)}
	case !(o.Rate > 0 && o.Rate <= maxRequests):
		return &OptionError{"Rate", o.Rate, fmt.Sprintf("must be above 0 and at most %d a second", maxRequests)}
	case o.Keys < 2 || o.Keys > 1_000_000:
		return &OptionError{"Keys", o.Keys, "must be 2 to 1000000"}
	case o.Callers < 2 || o.Callers > maxCallers:
		return &OptionError{"Callers", o.Callers, fmt.Sprintf("must be 2 to %d", maxCallers)}
	case o.Load < time.Millisecond || o.Load > time.Second:
		return &OptionError{"Load", o.Load, "must be 1ms to 1s"}
	case len(o.Contenders) == 0:
		return &OptionError{"Contenders", "empty", "must hold at least one"}
	}
	seen := make(map[string]bool)
	for _, c := range o.Contenders {
		if c.ID == "" || seen[c.ID] {
			return &OptionError{"Contenders", fmt.Sprintf("%q", c.ID), "must have an ID that no other has"}
		}
		seen[c.ID] = true
	}
	return nil
}
