package sim_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/sim"
)

func TestAFigureIsTheLargestOfWhatWasSeenEvenBelowZero(t *testing.T) {
	tests := []struct {
		name string
		seen []float64
		want float64
	}{{"one below zero", []float64{-1}, -1}, {"growing", []float64{-1, 2}, 2}, {"falling", []float64{5, 2}, 5}}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			found := play(t, stage(), bare(), func(s sim.Stage) {
				for _, value := range test.seen {
					s.Raise("figure", value)
				}
			})
			if got := found.Extra["figure"]; got != test.want {
				t.Errorf("the figure is %v after %v, want %v", got, test.seen, test.want)
			}
		})
	}
}

// remembers answers with the first row of each key for ever, whatever the source says.
func remembers() contender.Contender {
	var rows sync.Map
	return reading(func(ctx context.Context, node contender.Node, key uint64) contender.Answer {
		row, err := node.Source.Load(ctx, key)
		if old, known := rows.Load(key); known {
			return contender.Answer{Ending: contender.Stale, Row: old.(contender.Row)}
		}
		if err != nil {
			return contender.Answer{Ending: contender.Absent}
		}
		rows.Store(key, row)
		return contender.Answer{Ending: contender.Loaded, Row: row}
	})
}

func TestAnOldRowIsAViolationOnceTheSourceHasSaidThatItIsGone(t *testing.T) {
	tests := []struct {
		name    string
		changes []sim.Change
		c       contender.Contender
		want    bool
	}{
		{"nothing changes", []sim.Change{{At: time.Second}}, remembers(), false},
		{"removed", []sim.Change{{At: time.Second, Removed: []uint64{0}}}, remembers(), true},
		{"removed and honest", []sim.Change{{At: time.Second, Removed: []uint64{0}}}, one(t, "P7"), false},
		{"removed and created again", []sim.Change{{At: time.Second, Removed: []uint64{0}}, {At: 3 * time.Second, Created: []uint64{0}}}, bareOrAbsent(), false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			setup := quarter(1)
			setup.Rate, setup.Length, setup.Prefill, setup.Changes = 50, 6*time.Second, sim.Empty, test.changes
			setup.TTL = contender.TTL{Soft: 500 * ms, Hard: time.Minute, Negative: 500 * ms}
			setup.KeyOf = func(uint64) uint64 { return 0 }
			if found := run(t, setup, test.c); (found.Violations > 0) != test.want {
				t.Errorf("%d violations, want any: %v", found.Violations, test.want)
			}
		})
	}
}

func bareOrAbsent() contender.Contender {
	return reading(func(ctx context.Context, node contender.Node, key uint64) contender.Answer {
		row, err := node.Source.Load(ctx, key)
		if err != nil {
			return contender.Answer{Ending: contender.Absent}
		}
		return contender.Answer{Ending: contender.Loaded, Row: row}
	})
}

func TestTheLongestDenialOfACreatedRowIsCounted(t *testing.T) {
	setup := quarter(1)
	setup.Rate, setup.Length, setup.Prefill = 50, 10*time.Second, sim.Empty
	setup.KeyOf = func(uint64) uint64 { return 19 }
	setup.Changes = []sim.Change{{At: 2 * time.Second, Created: []uint64{19}}}
	setup.TTL = contender.TTL{Soft: time.Minute, Hard: time.Minute, Negative: 3 * time.Second}
	denied := run(t, setup, one(t, "P0")).Extra[sim.CreatedSeen]
	if denied <= 0 || denied > 3 {
		t.Errorf("a row was denied for %v s after its creation, want some, and at most the 3 s that absences live", denied)
	}
	if denied = run(t, setup, bareOrAbsent()).Extra[sim.CreatedSeen]; denied > 0.5 {
		t.Errorf("a row was denied for %v s by who asks the source each time", denied)
	}
}

func TestAnAnswerOlderThanAnInvalidationBeforeItIsAViolation(t *testing.T) {
	tests := []struct {
		name string
		c    contender.Contender
		want bool
	}{{"forgets nothing", remembers(), true}, {"keeps nothing", bare(), false}}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			setup := quarter(1)
			setup.Rate, setup.Length, setup.Writes, setup.Prefill = 200, 10*time.Second, 20, sim.Empty
			if found := run(t, setup, test.c); (found.Violations > 0) != test.want {
				t.Errorf("%d violations, want any: %v", found.Violations, test.want)
			}
		})
	}
}
