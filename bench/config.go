package main

import (
	"context"

	"github.com/cacheaside/resilience/bench/internal/bubble"
	"github.com/cacheaside/resilience/bench/internal/result"
	"github.com/cacheaside/resilience/bench/internal/tune"
)

// runConfig runs a user's own policy and workload.
func runConfig(ctx context.Context, bubbles bubble.Bubbles, o options, document *result.Document, shown *progress) error {
	config, err := tune.Read(o.config)
	if err != nil {
		return err
	}
	chosen := o.scenarioOptions()
	if !o.seeded {
		chosen.Seed = 0 // the file's own
	}
	config = config.Under(chosen)
	document.Seed = config.Setup().Seed
	mine := part{name: "mine", tasks: config.Plan(chosen), conclude: func(p part, d *result.Document) {
		if made := p.made(); len(made) > 0 {
			d.Scenarios = append(d.Scenarios, config.Conclude(made))
		}
	}}
	return runParts(ctx, bubbles, []part{mine}, document, shown)
}
