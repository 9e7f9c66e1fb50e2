package soak_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

// summary counts what a run has met.
type summary struct {
	statuses    map[cacheaside.Status]int
	longest     map[cacheaside.Status]time.Duration
	reasons     map[cacheaside.Reason]int
	loads       map[string]int // by manner
	troubles    map[string]int // by kind
	invalidated int            // applied
	refused     int            // invalidations that were not
	binding     int            // answers that an invalidation had to be compared with
	unavailable int            // answers to callers whose lookup failed
	replaced    int            // answers of rows that had been replaced when the call began
	oldest      time.Duration  // how long ago, at most
	updates     int
	panics      int // of callers, in their loader's place

	mostShared, mostLoads, mostKeys, mostWaiters, mostConnections, mostGoroutines int
}

func newSummary() summary {
	return summary{
		statuses: make(map[cacheaside.Status]int), longest: make(map[cacheaside.Status]time.Duration),
		reasons: make(map[cacheaside.Reason]int), loads: make(map[string]int), troubles: make(map[string]int),
	}
}

func (s *summary) add(a answer, rows []row, binding bool) {
	s.statuses[a.status]++
	s.longest[a.status] = max(s.longest[a.status], a.ended.Sub(a.begun))
	if binding {
		s.binding++
	}
	if a.lookup == cacheaside.LookupUnavailable {
		s.unavailable++
	}
	if end, ended := endOf(rows, a.value.Version); a.usable() && ended && end.Before(a.begun) {
		s.replaced++
		s.oldest = max(s.oldest, a.begun.Sub(end))
	}
}

// statuses are all that a call can end with.
func statuses() []cacheaside.Status {
	var all []cacheaside.Status
	for status := cacheaside.StatusFresh; status <= cacheaside.StatusCancelled; status++ {
		all = append(all, status)
	}
	return all
}

// missing tells what a run has not met that it must have: a run that met nothing has shown nothing. Some seconds must have met what is frequent,
// a whole run every status, every trouble and every manner of a loader.
func (s *summary) missing(whole bool) []string {
	var missing []string
	need := func(what string, seen, least int) {
		if seen < least {
			missing = append(missing, fmt.Sprintf("%s: %d, at least %d", what, seen, least))
		}
	}
	need("calls compared with an invalidation", s.binding, 20)
	need("invalidations", s.invalidated, 10)
	need("updates", s.updates, 10)
	need("lookups that failed", s.unavailable, 1)
	need("answers of rows that had been replaced", s.replaced, 1)
	need("statuses", len(s.statuses), 6)
	need("troubles", len(s.troubles), 5)
	need(cacheaside.StatusFresh.String(), s.statuses[cacheaside.StatusFresh], 100)
	need(cacheaside.StatusLoaded.String(), s.statuses[cacheaside.StatusLoaded], 100)
	if !whole {
		return missing
	}
	for _, status := range statuses() {
		need(status.String(), s.statuses[status], 1)
	}
	for _, kind := range troubles() {
		need(kind.name, s.troubles[kind.name], 1)
	}
	for _, m := range manners() {
		need("a loader that is "+m.name, s.loads[m.name], 1)
	}
	need("panics that reached a caller", s.panics, 1)
	return missing
}

// String is the summary as some lines.
func (s *summary) String() string {
	var text strings.Builder
	calls := 0
	fmt.Fprintln(&text, "calls by status, and the longest of each:")
	for _, status := range statuses() {
		calls += s.statuses[status]
		fmt.Fprintf(&text, "  %-12v %8d  %v\n", status, s.statuses[status], s.longest[status].Round(time.Millisecond))
	}
	fmt.Fprintf(&text, "  in all       %8d, of which %d panicked with their loader\n", calls, s.panics)
	fmt.Fprintf(&text, "rejections by reason: %s\n", listed(s.reasons))
	fmt.Fprintf(&text, "loads by manner: %s\n", listed(s.loads))
	fmt.Fprintf(&text, "troubles by kind: %s\n", listed(s.troubles))
	fmt.Fprintf(&text, "updates %d, invalidations %d and %d that failed; %d answers compared with one, %d after a lookup that failed\n",
		s.updates, s.invalidated, s.refused, s.binding, s.unavailable)
	fmt.Fprintf(&text, "%d answers of rows that had been replaced, at most %v before\n", s.replaced, s.oldest.Round(time.Millisecond))
	fmt.Fprintf(&text, "the most at once: %d loads, %d keys, %d waiters, %d callers behind one load, %d connections of a process, %d goroutines\n",
		s.mostLoads, s.mostKeys, s.mostWaiters, s.mostShared, s.mostConnections, s.mostGoroutines)
	return text.String()
}

// listed prints counts in the order of their names.
func listed[K comparable](counts map[K]int) string {
	byName := make(map[string]int, len(counts))
	for name, n := range counts {
		byName[fmt.Sprint(name)] = n
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		parts = append(parts, fmt.Sprintf("%s %d", name, byName[name]))
	}
	return strings.Join(parts, ", ")
}
