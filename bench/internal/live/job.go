package live

import (
	"encoding/json"
	"errors"
	"io"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/live/redisstore"
	"github.com/cacheaside/resilience/bench/internal/measure"
	"github.com/cacheaside/resilience/cacheaside"
)

// job is all that a worker is told before it begins.
type job struct {
	Contender   string
	Node, Nodes int
	Space       redisstore.Space
	Source      string // address
	BodyBytes   int
	DeafSource  bool // the source's driver looks at no context
	TTL         contender.TTL
	Tuning      tuning
	Seed        uint64

	Play     string // which of plays
	Rate     float64
	Keys     int
	Zipf     float64
	Deadline time.Duration // of each call
	Tries    int           // calls of a user, the first included
	Length   time.Duration
	Callers  int           // of one key
	CancelAt time.Duration // when the first caller leaves or its process is killed, from the beginning of its load
	Warm     bool          // the one key of a play is not the cold one, but one that was read before the run
}

// tuning is what a scenario changes in the policies of this library; zero leaves the preset.
type tuning struct {
	MaxWaitersPerKey int
	LoadDeadline     time.Duration
}

func (t tuning) apply(p *cacheaside.Policy) {
	if t.MaxWaitersPerKey > 0 {
		p.MaxWaitersPerKey = t.MaxWaitersPerKey
	}
	if t.LoadDeadline > 0 {
		p.LoadDeadline = t.LoadDeadline
	}
}

// command is what a worker is told later.
type command struct {
	Begin int64 `json:",omitempty"` // Unix microseconds at which the run begins
	Stop  bool  `json:",omitempty"`
}

// message is what a worker says: that it is ready, what it found, or why it could not.
type message struct {
	Ready  bool    `json:",omitempty"`
	Error  string  `json:",omitempty"`
	Report *report `json:",omitempty"`
}

// report is what one worker found.
type report struct {
	Tally      *measure.Tally
	Goroutines int    // peak
	HeapBytes  uint64 // peak
	Stopped    bool   // before the end
	Facts      facts
}

// facts are figures of a play that a tally has no place for.
type facts struct {
	LateSeconds float64 `json:",omitempty"` // how long after its time an arrival was sent at most
	Probes      int     `json:",omitempty"` // calls of the key whose load hangs
	ProbesGood  int     `json:",omitempty"`
	FirstGood   float64 `json:",omitempty"` // seconds until the first of them was answered, or a fresh value was; -1 is never
	OverduePeak int     `json:",omitempty"`
}

var errJob = errors.New("live: what came over standard input is no job")

func readJob(from *json.Decoder) (job, error) {
	var j job
	if err := from.Decode(&j); err != nil {
		return job{}, errJob // the decoder's own words could hold what it read
	}
	return j, nil
}

func say(to io.Writer, m message) error { return json.NewEncoder(to).Encode(m) }
