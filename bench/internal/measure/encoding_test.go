package measure_test

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/measure"
)

// busy counts so many calls and loads, drawn from a seed, of which collector pick says who counts each.
func busy(calls int, seed uint64, pick func(n int) *measure.Collector) {
	draw := rand.New(rand.NewPCG(seed, 1))
	for n := range calls {
		intended := draw.IntN(5000)
		took := draw.IntN(900)
		e := contender.Ending(1 + draw.IntN(7))
		answer := contender.Answer{Ending: e, Row: contender.Row{Version: 1, ReadAt: at(intended - draw.IntN(100)).UnixMicro()}}
		if e == contender.Rejected {
			answer.Reason = "KeysFull"
		}
		c := pick(n)
		attempt(c, intended, intended+took, answer)
		c.SourceCall(at(intended))
		c.SourceWasted(at(intended))
		c.StoreOperation(at(intended))
	}
}

func TestATallyIsTheSameAfterItWasSent(t *testing.T) {
	t.Parallel()
	c := measure.New(zero, 500*time.Millisecond)
	busy(2000, 1, func(int) *measure.Collector { return c })
	c.SourceLevel(at(700), 5, 50)
	tally := c.Tally()
	text, err := json.Marshal(tally)
	if err != nil {
		t.Fatal(err)
	}
	var got measure.Tally
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	trigger := measure.Trigger{From: time.Second, To: 2 * time.Second}
	if sent, want := got.Figures(trigger, time.Minute), tally.Figures(trigger, time.Minute); !reflect.DeepEqual(sent, want) {
		t.Errorf("after it was sent:\n%+v\nbefore:\n%+v", sent, want)
	}
}

func TestWhatTwoProcessesCountAddsUpToWhatOneWouldHave(t *testing.T) {
	t.Parallel()
	one := measure.New(zero, 500*time.Millisecond)
	parts := []*measure.Collector{measure.New(zero, 500*time.Millisecond), measure.New(zero, 500*time.Millisecond)}
	busy(2000, 2, func(int) *measure.Collector { return one })
	busy(2000, 2, func(n int) *measure.Collector { return parts[n%2] })
	sum := parts[0].Tally()
	sum.Add(parts[1].Tally())
	got, want := sum.Figures(measure.Trigger{}, time.Minute), one.Tally().Figures(measure.Trigger{}, time.Minute)
	want.CallersPeak = got.CallersPeak // peaks add up, since those of processes may coincide
	if !reflect.DeepEqual(got, want) {
		t.Errorf("added up:\n%+v\nwant:\n%+v", got, want)
	}
}

func TestPeaksOfProcessesAddUp(t *testing.T) {
	t.Parallel()
	var sum *measure.Tally
	for level := range 2 {
		c := measure.New(zero, time.Second)
		a := c.Begin(1, at(0))
		c.SourceLevel(at(0), 1+level, 10+level)
		c.End(a, hit(1), at(1))
		if sum == nil {
			sum = c.Tally()
			continue
		}
		sum.Add(c.Tally())
	}
	run := sum.Figures(measure.Trigger{}, time.Second)
	if run.CallersPeak != 2 || run.SourceConcurrency != 3 || run.SourceOutstanding != 21 || run.Seconds[0].SourceOutstanding != 21 {
		t.Errorf("peaks are %d callers, %d and %d loads, %+v; want 2, 3, 21", run.CallersPeak, run.SourceConcurrency, run.SourceOutstanding, run.Seconds)
	}
}

func TestATallyThatCannotBeReadIsRefused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`{}`, `[]`, `{"All":{}}`, `{"All":null,"StaleAge":{}}`, `{"Offered":"many"}`} {
		var tally measure.Tally
		if err := json.Unmarshal([]byte(text), &tally); err == nil {
			t.Errorf("%s is read", text)
		}
	}
}
