package scenario

import (
	"fmt"
	"strconv"

	"github.com/cacheaside/resilience/bench/internal/result"
)

// checks gathers what is held against a bound.
type checks []result.Check

func (c *checks) add(run result.Run, what, bound, measured string, holds bool) {
	verdict := result.Fail
	if holds {
		verdict = result.Pass
	}
	*c = append(*c, result.Check{Contender: run.Contender, Variant: run.Variant, What: what, Bound: bound, Measured: measured, Verdict: verdict})
}

// show adds a figure without a bound.
func (c *checks) show(run result.Run, what, measured string) {
	*c = append(*c, result.Check{Contender: run.Contender, Variant: run.Variant, What: what, Measured: measured, Verdict: result.Shown})
}

func (c *checks) atMost(run result.Run, what string, measured, bound float64) {
	c.add(run, what, "<= "+short(bound), short(measured), measured <= bound)
}

func (c *checks) atLeast(run result.Run, what string, measured, bound float64) {
	c.add(run, what, ">= "+short(bound), short(measured), measured >= bound)
}

// recovered holds a recovery in seconds against a bound; -1 is never.
func (c *checks) recovered(run result.Run, bound float64) {
	c.add(run, "recovers after the trouble, s", "<= "+short(bound), recovery(run.RecoverySeconds), run.RecoverySeconds >= 0 && run.RecoverySeconds <= bound)
}

func recovery(seconds float64) string {
	if seconds < 0 {
		return "never"
	}
	return short(seconds)
}

// short writes a number with four digits at most.
func short(x float64) string {
	if x == float64(int64(x)) {
		return strconv.FormatInt(int64(x), 10)
	}
	return fmt.Sprintf("%.4g", x)
}

// of gives the runs of one contender.
func of(runs []result.Run, id string) []result.Run {
	var its []result.Run
	for _, run := range runs {
		if run.Contender == id {
			its = append(its, run)
		}
	}
	return its
}

// ours tells whether the contender is of this library, so that it is held to bounds.
func ours(run result.Run) bool { return run.Contender == strict || survives(run) }

// survives tells whether the contender is SurvivePolicy, with leases across the fleet or without.
func survives(run result.Run) bool { return run.Contender == survive || run.Contender == fleet }

// The contenders on this library.
const (
	strict  = "P6"
	survive = "P7"
	fleet   = "P8"
)
