package correctness

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/peers/internal/adapters"
)

// Load is what a source was asked for.
type Load struct {
	Calls int `json:"calls"`
	Peak  int `json:"peak"` // calls under way at once
}

// Tally is what a number of callers got.
type Tally struct {
	Callers   int            `json:"callers"`
	Values    int            `json:"values"`     // a row, of an age that the library calls fresh
	Stale     int            `json:"stale"`      // a row past its soft expiry
	Absent    int            `json:"absent"`     // the knowledge that there is none
	Late      int            `json:"late"`       // of Values, Stale and Absent: later than the caller's deadline, to the caller no answer
	Others    map[string]int `json:"others"`     // without an answer, by how they ended: "failed: source", "timed out", "rejected: KeysFull"
	Exited    int            `json:"exited"`     // callers whose own goroutine was ended under them
	NotBack   int            `json:"not_back"`   // callers that had not returned when the experiment ended
	SlowestMS float64        `json:"slowest_ms"` // of those that returned
}

// answered counts the callers that knew in time.
func (t Tally) answered() int { return t.Values + t.Stale + t.Absent - t.Late }

// add counts one caller that returned.
func (t *Tally) add(answer contender.Answer, took, deadline time.Duration) {
	t.SlowestMS = max(t.SlowestMS, float64(took)/float64(time.Millisecond))
	if answer.Ending.Answered() && took > deadline+scheduling {
		t.Late++
	}
	// Callers that wait together have deadlines a moment apart: the end of the one whose load it is, is not what ended the others.
	if answer.Reason == adapters.ReasonCancelled && took > deadline-scheduling {
		answer = contender.Answer{Ending: contender.TimedOut}
	}
	switch answer.Ending {
	case contender.Hit, contender.Loaded:
		t.Values++
	case contender.Stale:
		t.Stale++
	case contender.Absent:
		t.Absent++
	default:
		t.other(answer.Ending.String(), answer.Reason)
	}
}

// scheduling is what a busy machine may add to a caller's time before that counts as late.
const scheduling = 50 * time.Millisecond

func (t *Tally) other(ending, reason string) {
	if t.Others == nil {
		t.Others = map[string]int{}
	}
	if reason != "" {
		ending += ": " + reason
	}
	t.Others[ending]++
}

// rest tells how those ended that got no answer, the most frequent first; "" if there are none.
func (t Tally) rest() string {
	type group struct {
		name string
		n    int
	}
	groups := []group{{"answered too late", t.Late}, {"had their goroutine ended", t.Exited}, {"not back by the end", t.NotBack}}
	for name, n := range t.Others {
		groups = append(groups, group{inWords(name), n})
	}
	groups = slices.DeleteFunc(groups, func(g group) bool { return g.n == 0 })
	slices.SortFunc(groups, func(a, b group) int { return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.name, b.name)) })
	var parts []string
	for _, g := range groups {
		parts = append(parts, fmt.Sprintf("%d %s", g.n, g.name))
	}
	return strings.Join(parts, ", ")
}

// inWords says how a caller without an answer ended.
func inWords(name string) string {
	if reason, rejected := strings.CutPrefix(name, "rejected: "); rejected {
		return "rejected (" + reason + ")"
	}
	words := map[string]string{
		"failed: " + adapters.ReasonSource:    "got the source's error",
		"failed: " + adapters.ReasonStore:     "got an error of Redis",
		"failed: " + adapters.ReasonPanic:     "panicked in their own goroutine",
		"failed: " + adapters.ReasonExited:    "got an error that says so",
		"failed: " + adapters.ReasonCancelled: "got the end of another caller's context",
		"failed: " + adapters.ReasonOther:     "got an error of the library",
		"failed: " + reasonWrong:              "got a value that the source never gave",
	}
	if said, known := words[name]; known {
		return said
	}
	return name
}

// reasonWrong is what an experiment makes of a row that the source never gave for the key.
const reasonWrong = "wrong value"

// sentence says what the callers got.
func (t Tally) sentence() string {
	var parts []string
	switch {
	case t.Stale > 0 && t.Values > 0:
		parts = append(parts, fmt.Sprintf("%d of %d got a fresh value, %d a stale one", t.Values, t.Callers, t.Stale))
	case t.Stale > 0:
		parts = append(parts, fmt.Sprintf("%d of %d got the stale value", t.Stale, t.Callers))
	default:
		parts = append(parts, fmt.Sprintf("%d of %d got the value", t.Values, t.Callers))
	}
	if rest := t.rest(); rest != "" {
		parts = append(parts, rest)
	}
	return strings.Join(parts, ", ")
}

func plural(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}
