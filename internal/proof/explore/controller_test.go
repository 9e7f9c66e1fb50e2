package explore_test

import (
	"fmt"
	"testing"

	"github.com/cacheaside/resilience/internal/proof/explore"
)

// counters is a system of actors that take so many steps each, with a register that they share. It is broken when broken says so.
type counters struct {
	steps   int
	at      []int
	order   string
	broken  func(c *counters) error
	stuck   chan struct{}
	leaks   bool
	plan    []func(c *counters) // what an actor does at each of its steps
	private []int
}

func newCounters(actors, steps int) *counters {
	return &counters{steps: steps, at: make([]int, actors), private: make([]int, actors), stuck: make(chan struct{})}
}

func (c *counters) Choices() []explore.Choice {
	var choices []explore.Choice
	for actor := range c.at {
		if c.at[actor] < c.steps {
			choices = append(choices, explore.Choice{Name: fmt.Sprintf("actor %d", actor), Do: func() { c.step(actor) }})
		}
	}
	return choices
}

func (c *counters) step(actor int) {
	c.order += fmt.Sprint(actor)
	if c.at[actor] < len(c.plan) {
		c.plan[c.at[actor]](c)
	}
	c.at[actor]++
	if c.leaks {
		go func() { <-c.stuck }()
	}
}

func (c *counters) State() string { return fmt.Sprint(c.at) }

func (c *counters) Check() error {
	if c.broken != nil {
		return c.broken(c)
	}
	return nil
}

func (c *counters) Settle() string {
	for actor := range c.at {
		if c.at[actor] < c.steps {
			c.step(actor)
			return fmt.Sprintf("actor %d", actor)
		}
	}
	return ""
}

func (c *counters) End() error { return nil }
func (c *counters) Close()     {}

func TestTwoActorsOfNStepsHaveAsManySchedulesAsThereAreWaysToMergeThem(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]int{1: 2, 2: 6, 3: 20, 4: 70} {
		report := explore.Search{New: func() explore.System { return newCounters(2, n) }, Depth: 2 * n, Unpruned: true}.Run(t)
		if report.Schedules != want || !report.Full() || report.Deepest != 2*n || report.Cut != 0 {
			t.Errorf("two actors of %d steps: %s, want %d schedules", n, report, want)
		}
	}
}
