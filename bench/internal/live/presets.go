package live

import (
	"strconv"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/live/redisstore"
	"github.com/cacheaside/resilience/bench/internal/live/remote"
	"github.com/cacheaside/resilience/bench/internal/result"
	"github.com/cacheaside/resilience/cacheaside"
)

const (
	patience = 500 * time.Millisecond // of a caller
	tries    = 3                      // calls of a user, the first included
)

// preset is the policy that a contender on this library begins with; the bounds of checks are for these.
func preset(c contender.Contender) (cacheaside.Policy, bool) {
	switch c.ID {
	case "P6":
		return cacheaside.StrictPolicy(), true
	case "P7":
		return cacheaside.SurvivePolicy(), true
	case "P8":
		return contender.FleetPolicy(), true
	default:
		return cacheaside.Policy{}, false
	}
}

// judge gives the verdict on a figure: of contenders with a preset whether it is within the bound, of others none.
func judge(c contender.Contender, run result.Run, within bool) result.Verdict {
	if _, bound := preset(c); !bound || run.Interrupted {
		return result.Shown
	}
	if within {
		return result.Pass
	}
	return result.Fail
}

// check is a figure of a run beside its bound, which is written for contenders that it holds for.
func check(c contender.Contender, run result.Run, what, bound, measured string, verdict result.Verdict) result.Check {
	if _, bounded := preset(c); !bounded {
		bound = ""
	}
	return result.Check{Contender: c.ID, Variant: run.Variant, What: what, Bound: bound, Measured: measured, Verdict: verdict}
}

func count[N int | int64](n N) string { return strconv.FormatInt(int64(n), 10) }

func ratio(r float64) string { return strconv.FormatFloat(r, 'f', 3, 64) }

func parameters(pairs ...string) []result.Parameter {
	var list []result.Parameter
	for i := 0; i+1 < len(pairs); i += 2 {
		list = append(list, result.Parameter{Name: pairs[i], Value: pairs[i+1]})
	}
	return list
}

// perSecond writes a rate.
func perSecond(rate float64) string { return strconv.FormatFloat(rate, 'f', -1, 64) + "/s" }

// describe writes how a source works.
func describe(m remote.Model) string {
	text := count(m.Slots) + " loads at once of " + m.Mean.String()
	if m.Sigma > 0 {
		text += " on average (lognormal, sigma " + strconv.FormatFloat(m.Sigma, 'f', -1, 64) + ")"
	}
	if m.DropsAbandoned {
		return text + ", work ends when its caller leaves"
	}
	return text + ", unbounded queue, work goes on when its caller leaves"
}

func describeTTL(t contender.TTL) string {
	return "soft " + t.Soft.String() + ", hard " + t.Hard.String() + ", absences " + t.Negative.String() +
		", jitter " + strconv.FormatFloat(redisstore.JitterRatio, 'f', -1, 64) + " for P6 to P8"
}
