package scenario

import (
	"context"
	"fmt"
	"time"

	"github.com/cacheaside/resilience/bench/internal/bubble"
	"github.com/cacheaside/resilience/bench/internal/measure"
	"github.com/cacheaside/resilience/bench/internal/result"
	"github.com/cacheaside/resilience/bench/internal/sim"
)

// MapID is the name of the metastability map among the scenarios.
const MapID = "map"

// Map is the metastability map: for each contender, how long it takes to recover from a source that is ten times as slow for a while, by how busy
// the source is without that, and how long it lasts.
type Map struct {
	options      Options
	utilisations []float64
	triggers     []time.Duration // the first is none: what a contender cannot do without any trouble is not the trouble's doing
}

// mapWatched is how long a run is watched after the trigger: a lifetime, in which the second step comes, and time to recover from it.
const mapWatched = 80 * time.Second

// NewMap plans the map, coarse in a short run and fine in a full one.
func NewMap(o Options) Map {
	m := Map{
		options:      o,
		utilisations: []float64{0.1, 0.3, 0.5, 0.7, 0.9, 1.1},
		triggers:     []time.Duration{0, time.Second, 3 * time.Second, 10 * time.Second, 30 * time.Second},
	}
	if o.Size == Full {
		m.utilisations = []float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1}
		m.triggers = []time.Duration{
			0, 500 * time.Millisecond, time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second, 15 * time.Second, 30 * time.Second,
		}
	}
	m.options.Size = Quarter
	m.options.Contenders = only(o.Contenders, "P0", "P1", strict, survive)
	if o.Named {
		m.options.Contenders = o.Contenders
	}
	return m
}

// Plan gives the runs to make, contender by contender, and in each trigger by trigger.
func (m Map) Plan() []Task {
	var tasks []Task
	for _, c := range m.options.Contenders {
		for _, trigger := range m.triggers {
			for _, utilisation := range m.utilisations {
				setup := m.setup(utilisation, trigger)
				tasks = append(tasks, Task{
					Contender: c, Variant: fmt.Sprintf("map, %s busy, %s", short(utilisation), seconds(trigger)), Cost: cost(setup) * 0.5,
					Run: func(ctx context.Context, bubbles bubble.Bubbles, progress func(float64)) (result.Run, error) {
						return sim.Run(ctx, bubbles, setup, c, progress)
					},
				})
			}
		}
	}
	return tasks
}

func (m Map) setup(utilisation float64, trigger time.Duration) sim.Setup {
	setup := base(m.options)
	setup.Source.Mean = time.Duration(float64(setup.Source.Workers) * utilisation / loadRate(setup) * float64(time.Second))
	from := 5 * time.Second
	setup.Trigger = measure.Trigger{From: from, To: from + trigger}
	setup.SourceFaults = []sim.SourceFault{{From: from, To: setup.Trigger.To, Slower: 10}}
	setup.Length = setup.Trigger.To + mapWatched
	return setup
}

// loadRate is how many loads a second there are in the long run where each is shared by all who want it: of each key, one a lifetime and the wait
// for the next request.
func loadRate(setup sim.Setup) float64 {
	rate := 0.0
	for key := range uint64(setup.Keys.Keys()) {
		asked := setup.Rate * setup.Keys.Share(key)
		rate += asked / (1 + asked*setup.TTL.Soft.Seconds())
	}
	return rate
}

// Conclude draws the map of the runs that were made; runs[n] is that of the n-th task, nil where it was not made or cut short.
func (m Map) Conclude(runs []*result.Run) result.Map {
	drawn := result.Map{
		ID: "metastability", Title: "Metastability map",
		Caption: "Each cell is one run: the source is ten times as slow for the time on the left, at the utilisation below, and the colour is how long goodput took to be back at 99 % for five seconds. " +
			"Black did not recover while it was watched. The row of 0 s is without any trouble: a column that is black there breaks down by its own load, of loads made twice and of retries. From 1 on the source cannot do in the long run what is asked of it even without the trouble: there a policy can only serve what is old. " +
			fmt.Sprintf("A quarter of the service's users, keys and source, read by %d of its nodes; callers try three times.", base(m.options).Nodes),
		Utilisations: m.utilisations, LimitSeconds: mapWatched.Seconds(),
	}
	for _, trigger := range m.triggers {
		drawn.Triggers = append(drawn.Triggers, trigger.Seconds())
	}
	n := 0
	for _, c := range m.options.Contenders {
		panel := result.MapPanel{Contender: c.ID, Name: c.Name}
		black, made := 0, 0
		for _, trigger := range m.triggers {
			var row []float64
			for range m.utilisations {
				cell := notMade
				if runs[n] != nil {
					cell = runs[n].RecoverySeconds
					if trigger > 0 {
						made++
						if cell < 0 {
							black++
						}
					}
				}
				row = append(row, cell)
				n++
			}
			panel.Cells = append(panel.Cells, row)
		}
		if made > 0 {
			panel.Black = float64(black) / float64(made)
		}
		drawn.Panels = append(drawn.Panels, panel)
	}
	return drawn
}

// notMade is the cell of a run that was not made.
const notMade = -2.0
