package live

import (
	"context"
	"fmt"
	"math"
	"sync/atomic"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/live/remote"
	"github.com/cacheaside/resilience/bench/internal/measure"
	"github.com/cacheaside/resilience/bench/internal/result"
)

const (
	firstHangs = "first load hangs"
	allHang    = "every load hangs"

	hungRate  = 200 // requests a second of the other keys
	hungKeys  = 200
	wellServe = 0.95 // goodput of the other keys
)

// hungLoader is S11: a load of one key never returns, and its driver looks at no context.
func hungLoader() scenario {
	return scenario{
		id: "S11", title: "Hung loader",
		question: "A load of one key never returns, whatever its context says. Can the key be read again, how many loads pile up, and do the users of " +
			"other keys notice?",
		steps: func(o Options) int { return 2 * len(o.Contenders) },
		run:   runHungLoader,
	}
}

func runHungLoader(ctx context.Context, s *stage, found *result.Scenario) error {
	o := s.options
	model := remote.Default(o.Seed)
	ttl := contender.TTL{Soft: time.Second, Hard: 10 * time.Minute, Negative: time.Minute}
	loadDeadline := o.Duration / 8
	found.Parameters = parameters("nodes", "1", "other keys", fmt.Sprintf("%d, Zipf 1.0, at %d/s", hungKeys, hungRate),
		"calls of the key", "one every "+probeEvery.String(), "source", describe(model), "load deadline", loadDeadline.String()+" for P6 to P8",
		"lifetimes", describeTTL(ttl), "caller deadline", patience.String(), "length", o.Duration.String())
	found.Notes = append(found.Notes, "A load that hangs keeps one of the source's places.",
		"The figures of the runs are of the other keys, but for the source's, which are of all.")
	for _, variant := range []string{firstHangs, allHang} {
		hang := remote.Hang{First: 1}
		if variant == allHang {
			hang.First = math.MaxUint64
		}
		plan := job{
			Play: "hung", Rate: hungRate, Keys: hungKeys, Zipf: 1, Deadline: patience, Tries: 1, Length: o.Duration, TTL: ttl,
			DeafSource: true, Tuning: tuning{LoadDeadline: loadDeadline},
		}
		hang.Key = plan.coldKey()
		var calls *atomic.Int64
		runs, err := s.each(ctx, func(contender.Contender) act {
			calls = new(atomic.Int64)
			return act{
				variant: variant, nodes: 1, model: model, fault: remote.Fault{Hang: hang}, job: plan,
				onCall: func(key uint64, _ time.Time) {
					if key == hang.Key {
						calls.Add(1)
					}
				},
			}
		}, func(c contender.Contender, run result.Run, seen facts) {
			found.Checks = append(found.Checks, hungChecks(c, run, seen, calls.Load())...)
		})
		found.Runs = append(found.Runs, runs...)
		found.Plots = append(found.Plots, plots("S11", variant, runs, trouble{measure.Trigger{To: o.Duration}, variant}, model.Capacity())...)
		if err != nil {
			return err
		}
	}
	return nil
}

func hungChecks(c contender.Contender, run result.Run, seen facts, calls int64) []result.Check {
	policy, _ := preset(c)
	most := policy.MaxOverduePerKey
	list := []result.Check{
		check(c, run, "goodput of the other keys", ">= "+ratio(wellServe), ratio(run.Goodput), judge(c, run, run.Goodput >= wellServe)),
	}
	if run.Variant == firstHangs {
		usable := "never"
		if seen.FirstGood >= 0 {
			usable = fmt.Sprintf("after %.2f s; %d of %d calls answered", seen.FirstGood, seen.ProbesGood, seen.Probes)
		}
		return append(list, check(c, run, "the key can be read again", "yes", usable, judge(c, run, seen.FirstGood >= 0)))
	}
	list = append(list, check(c, run, "loads of the key that hang", fmt.Sprintf("<= %d", most), count(calls), judge(c, run, calls <= int64(most))))
	if c.Library {
		list = append(list, check(c, run, "overdue loads that the region counts, at most", fmt.Sprintf("1 to %d", most), count(seen.OverduePeak),
			judge(c, run, seen.OverduePeak >= 1 && seen.OverduePeak <= most)))
	}
	return list
}
