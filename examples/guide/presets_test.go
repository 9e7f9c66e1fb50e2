package guide_test

import (
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

// TestThePresetTableOfTheREADMEIsTheCode compares every row of the table that is a number, a duration or an action.
func TestThePresetTableOfTheREADMEIsTheCode(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	presets := []cacheaside.Policy{cacheaside.StrictPolicy(), cacheaside.BalancedPolicy(), cacheaside.SurvivePolicy()}
	number := func(get func(cacheaside.Policy) int) func(cacheaside.Policy) string {
		return func(p cacheaside.Policy) string { return strconv.Itoa(get(p)) }
	}
	wait := func(get func(cacheaside.Policy) time.Duration) func(cacheaside.Policy) string {
		return func(p cacheaside.Policy) string { return spoken(get(p)) }
	}
	action := func(get func(cacheaside.Policy) cacheaside.EntryAction) func(cacheaside.Policy) string {
		return func(p cacheaside.Policy) string { return "`" + get(p).String() + "`" }
	}
	rows := map[string]func(cacheaside.Policy) string{
		"`MaxInFlightKeys`":        number(func(p cacheaside.Policy) int { return p.MaxInFlightKeys }),
		"`MaxWaitersPerKey`":       number(func(p cacheaside.Policy) int { return p.MaxWaitersPerKey }),
		"`SourceConcurrency`":      number(func(p cacheaside.Policy) int { return p.SourceConcurrency }),
		"`MaxOverduePerKey`":       number(func(p cacheaside.Policy) int { return p.MaxOverduePerKey }),
		"`AdmissionWait`":          wait(func(p cacheaside.Policy) time.Duration { return p.AdmissionWait }),
		"`LoadDeadline`":           wait(func(p cacheaside.Policy) time.Duration { return p.LoadDeadline }),
		"`RecordWait`":             wait(func(p cacheaside.Policy) time.Duration { return p.RecordWait }),
		"`FailureBackoff`":         wait(func(p cacheaside.Policy) time.Duration { return p.FailureBackoff }),
		"`ServeStale` on":          staleRules,
		"`ServeStale.RefreshWait`": refreshWait,
		"`Incompatible` entry":     action(func(p cacheaside.Policy) cacheaside.EntryAction { return p.Incompatible }),
		"`Future` entry":           action(func(p cacheaside.Policy) cacheaside.EntryAction { return p.Future }),
		"`Corrupt` entry":          action(func(p cacheaside.Policy) cacheaside.EntryAction { return p.Corrupt }),
	}
	for field, say := range rows {
		row := "| " + field
		for _, preset := range presets {
			row += " | " + say(preset)
		}
		if !strings.Contains(string(page), row+" |\n") {
			t.Errorf("README.md has no row %q", row+" |")
		}
	}
}

func spoken(d time.Duration) string {
	switch {
	case d == 0:
		return "0"
	case d%time.Second == 0:
		return strconv.FormatInt(int64(d/time.Second), 10) + " s"
	default:
		return strconv.FormatInt(d.Milliseconds(), 10) + " ms"
	}
}

func staleRules(p cacheaside.Policy) string {
	var on []string
	for _, rule := range []struct {
		on   bool
		name string
	}{
		{p.ServeStale.OnTransient, "transient failure"}, {p.ServeStale.OnDeadline, "deadline"}, {p.ServeStale.OnRejected, "rejection"},
	} {
		if rule.on {
			on = append(on, rule.name)
		}
	}
	return strings.Join(on, ", ")
}

func refreshWait(p cacheaside.Policy) string {
	switch wait := p.ServeStale.RefreshWait; wait {
	case 0:
		return "as long as the load"
	case cacheaside.DontWait:
		return "`DontWait`"
	default:
		return spoken(wait)
	}
}
