package correctness

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
)

// Experiment is one row of the table.
type Experiment struct {
	ID    string
	Title string        // what happens
	Limit time.Duration // after which a child that is not done counts as hung
	Alone bool          // needs the machine for itself, or it measures what runs beside it

	measure func(context.Context, *stage) (any, error)
	judge   func(json.RawMessage) (string, error)
}

// experiment joins what is measured in the child to the sentence that the parent makes of it. judge is pure.
func experiment[O any](id, title string, measure func(context.Context, *stage) (O, error), judge func(O) string) Experiment {
	return Experiment{
		ID: id, Title: title, Limit: childLimit,
		measure: func(ctx context.Context, s *stage) (any, error) { return measure(ctx, s) },
		judge: func(raw json.RawMessage) (string, error) {
			var observation O
			if err := json.Unmarshal(raw, &observation); err != nil {
				return "", fmt.Errorf("experiment %s: observation: %w", id, err)
			}
			return judge(observation), nil
		},
	}
}

// childLimit is more than any experiment takes by itself.
const childLimit = 12 * time.Second

// Experiments gives all rows, in the order of the table.
func Experiments() []Experiment {
	return []Experiment{
		experiment("cancel", "The first caller cancels while 20 others wait for its load", measureCancel, judgeCancel),
		experiment("panic", "The loader panics while 21 callers wait", measurePanic, judgeBroken),
		experiment("goexit", "The loader calls runtime.Goexit while 21 callers wait", measureGoexit, judgeBroken),
		experiment("panic-refresh", "The value has passed its soft expiry, and the loader panics; 21 callers", measurePanicRefresh, judgeBroken),
		experiment("hung", "Loads hang and ignore their context; 21 callers with 500 ms each, and later ones from 2.5 s on", measureHung, judgeBroken),
		experiment("corrupt", "Bytes in Redis are damaged under the key, then another process reads it", measureCorrupt, judgeCorrupt),
		experiment("invalidate", "The row changes and is invalidated while a load of the old row runs; reads after that load", measureInvalidate, judgeInvalidate),
		experiment("invalidate-join", "The same, with a read after the invalidation and before the old load ends", measureInvalidateJoin, judgeInvalidate),
		experiment("other-node", "The row changes and is invalidated in one process, and read in another that had read it", measureOtherNode, judgeOtherNode),
		experiment("paused-one", "Redis is paused; 200 callers with 500 ms each ask for one cold key", measureOutage(pause, one), judgeOutage),
		experiment("paused-many", "Redis is paused; 200 callers with 500 ms each ask for 200 cold keys", measureOutage(pause, many), judgeOutage),
		experiment("killed-one", "Redis is killed; 200 callers with 500 ms each ask for one cold key", measureOutage(kill, one), judgeOutage),
		experiment("killed-many", "Redis is killed; 200 callers with 500 ms each ask for 200 cold keys", measureOutage(kill, many), judgeOutage),
		experiment("stale", "The value has passed its soft expiry and the source fails; 50 callers, and 50 more 100 ms after the last", measureStale, judgeStale),
		experiment("absent", "A row that is not there, an empty one and a failing one, each read three times in a row", measureAbsent, judgeAbsent),
		alone(experiment("cold", "2000 callers with 2 s each ask for 2000 cold keys at once; a load takes 100 ms", measureCold, judgeCold)),
	}
}

func alone(e Experiment) Experiment {
	e.Alone = true
	return e
}

// ByID gives the experiment of that name.
func ByID(id string) (Experiment, bool) {
	for _, e := range Experiments() {
		if e.ID == id {
			return e, true
		}
	}
	return Experiment{}, false
}
