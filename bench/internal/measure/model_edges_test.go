package measure_test

import (
	"math"
	"testing"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/measure"
	"github.com/cacheaside/resilience/bench/internal/result"
)

// goodputs makes seconds of a hundred requests each with these goodputs, in parts of a hundred.
func goodputs(parts ...int64) (seconds []result.Second) {
	for _, good := range parts {
		seconds = append(seconds, result.Second{Offered: 100, Good: good})
	}
	return seconds
}

func TestARecoveryCountsWholeSecondsAfterATriggerThatEndsAnywhere(t *testing.T) {
	tests := []struct {
		name    string
		end     time.Duration
		seconds []result.Second
		want    float64
	}{
		{"at once", 2 * time.Second, goodputs(0, 0, 99, 99, 99, 99, 99), 0},
		{"the rest of the second in which it ends counts for nothing", 1500 * time.Millisecond, goodputs(0, 0, 100, 100, 100, 100, 100), 0.5},
		{"a nanosecond into a second", 2*time.Second + 1, goodputs(0, 0, 0, 100, 100, 100, 100, 100), 1 - 1e-9},
		{"below in the fifth second", 0, goodputs(100, 100, 100, 100, 98, 100, 100, 100, 100, 100), 5},
		{"the run ends after four good seconds", 0, goodputs(0, 100, 100, 100, 100), -1},
		{"the trigger ends with the run", 5 * time.Second, goodputs(100, 100, 100, 100, 100), -1},
		{"after the run", time.Hour, goodputs(100, 100, 100, 100, 100), -1},
		{"nothing was measured", 0, nil, -1},
		{"seconds without requests are good ones", 0, append(goodputs(100), make([]result.Second, 4)...), 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := measure.Recovery(test.seconds, test.end); math.Abs(got-test.want) > 1e-9 {
				t.Errorf("recovered after %v, want %v", got, test.want)
			}
		})
	}
}

func TestTheLostAreaBeginsWithTheSecondOfTheTrigger(t *testing.T) {
	tests := []struct {
		from time.Duration
		want float64
	}{{0, 2.5}, {time.Second, 2}, {1900 * time.Millisecond, 2}, {2 * time.Second, 1}, {4 * time.Second, 0}, {time.Hour, 0}}
	for _, test := range tests {
		if got := measure.LostArea(goodputs(50, 0, 0, 100), test.from); got != test.want {
			t.Errorf("from %v on %v s are lost, want %v", test.from, got, test.want)
		}
	}
}

func TestOnlyAnAnswerWithinTheDeadlineIsGood(t *testing.T) {
	start := time.Unix(1000, 0)
	tests := []struct {
		ending contender.Ending
		took   time.Duration
		want   bool
	}{
		{contender.Hit, 0, true}, {contender.Loaded, time.Second, true}, {contender.Loaded, time.Second + 1, false}, {contender.Stale, ms(5), true},
		{contender.Absent, ms(5), true}, {contender.Rejected, 0, false}, {contender.Failed, 0, false}, {contender.TimedOut, ms(5), false},
	}
	for _, test := range tests {
		c := measure.New(start, time.Second)
		if got := c.End(c.Begin(1, start), contender.Answer{Ending: test.ending}, start.Add(test.took)); got != test.want {
			t.Errorf("%v after %v is good: %v", test.ending, test.took, got)
		}
	}
}

func ms(n int) time.Duration { return time.Duration(n) * time.Millisecond }
