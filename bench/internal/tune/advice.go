package tune

import (
	"fmt"
	"strings"

	"github.com/cacheaside/resilience/bench/internal/result"
)

// rule gives one piece of advice on a run of the user's region, or "" where the figures do not ask for it.
type rule func(c Config, run result.Run) string

// rules are all that there are, in the order in which advice is given. Each says at its function which figure calls for it.
func rules() []rule {
	return []rule{
		busyInPeace, queueAtTheSource, givenUp, softBelowLoad,
		admissionTimeouts, waitersFull, keysFull, loadDeadlines, backoffs, sourceFailures, outlived, retries,
		shortEntries, shortTombstones,
	}
}

// advise applies the rules.
func (c Config) advise(run result.Run) []string {
	var advice []string
	for _, r := range rules() {
		if text := r(c, run); text != "" {
			advice = append(advice, text)
		}
	}
	return advice
}

const (
	// worthWords is the part of all calls above which something is more than chance, and fewest how many they are at least.
	worthWords = 0.001
	fewest     = 10
)

func many(n, attempts int64) bool { return n >= fewest && ratio(n, attempts) > worthWords }

// counted writes a number of calls with its part of all.
func counted(n int64, run result.Run) string {
	return fmt.Sprintf("%d calls (%s of all)", n, percent(ratio(n, run.Attempts)))
}

// sentences joins what there is to say.
func sentences(all ...string) string {
	var said []string
	for _, s := range all {
		if s != "" {
			said = append(said, s)
		}
	}
	return strings.Join(said, " ")
}

// staleHelps tells that entries have a stale state, for which a rule could be switched on.
func (c Config) staleHelps() bool { return c.setup.TTL.Soft < c.setup.TTL.Hard }
