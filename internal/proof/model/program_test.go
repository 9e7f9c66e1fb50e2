package model_test

import (
	"fmt"
	"strings"
	"time"

	"pgregory.net/rapid"

	"github.com/cacheaside/resilience/cacheaside"
)

// program is a history to be: what is configured and what happens, as plain data, so that it shrinks and can be printed. Its numbers choose among
// what there is at the time; an action that finds nothing to choose from does nothing.
type program struct {
	policy  cacheaside.Policy
	lives   lives
	actions []action
}

type action struct {
	does    deed
	which   int  // one of those there are
	how     int  // what becomes of it
	mark    bool // a load that listens to its context; the second key
	special bool // a lookup that is held; an exact moment
}

type deed int

const (
	get deed = iota
	arrive
	cancel
	finish
	step
	wait
	invalidate
	elsewhere
	ripen
	spoil
	reenter
	trouble
	hold
	letRecord
	closing
)

var deeds = [...]string{
	"get", "arrive", "cancel", "finish", "step", "wait", "invalidate", "elsewhere",
	"ripen", "spoil", "reenter", "trouble", "hold", "letRecord", "closing",
}

func (d deed) String() string { return deeds[d] }

// often tells how often what is done.
func often() (all []deed) {
	for d, times := range [...]int{14, 4, 4, 12, 7, 3, 4, 4, 6, 2, 1, 2, 2, 4, 1} {
		for range times {
			all = append(all, deed(d))
		}
	}
	return all
}

func (p program) String() string {
	var text strings.Builder
	fmt.Fprintf(&text, "policy %+v\nlives %+v\n", p.policy, p.lives)
	for i, a := range p.actions {
		fmt.Fprintf(&text, "%3d %s which=%d how=%d mark=%t special=%t\n", i, a.does, a.which, a.how, a.mark, a.special)
	}
	return text.String()
}

// GoString keeps rapid from printing what String prints better.
func (p program) GoString() string { return fmt.Sprintf("a program of %d actions", len(p.actions)) }

func programs() *rapid.Generator[program] {
	all := often()
	acting := rapid.Custom(func(t *rapid.T) action {
		return action{
			does: rapid.SampledFrom(all).Draw(t, "does"), which: rapid.IntRange(0, 7).Draw(t, "which"), how: rapid.IntRange(0, 9).Draw(t, "how"),
			mark: rapid.Bool().Draw(t, "mark"), special: rapid.IntRange(0, 3).Draw(t, "special") == 3,
		}
	})
	return rapid.Custom(func(t *rapid.T) program {
		p := program{policy: policies(t), lives: liveses(t)}
		// Slices of slices are longer than slices, and shrink as well.
		for _, some := range rapid.SliceOfN(rapid.SliceOfN(acting, 1, 12), 1, 12).Draw(t, "actions") {
			p.actions = append(p.actions, some...)
		}
		return p
	})
}

// liveses keeps the lives apart from one another and close to the waits of the policies.
func liveses(t *rapid.T) lives {
	hard := rapid.SampledFrom([]int64{90, 400, 2000}).Draw(t, "hard")
	return lives{
		soft: rapid.SampledFrom([]int64{1, 40, hard}).Draw(t, "soft"), hard: hard,
		negative: rapid.SampledFrom([]int64{50, 700}).Draw(t, "negative"), tombstone: rapid.SampledFrom([]int64{60, 3000}).Draw(t, "tombstone"),
	}
}

// policies draws a preset, or a policy of small bounds. No sum of the waits that can start at one moment is another, so that no two of them end at
// one.
func policies(t *rapid.T) cacheaside.Policy {
	policy := rapid.SampledFrom([]cacheaside.Policy{
		cacheaside.StrictPolicy(), cacheaside.BalancedPolicy(), cacheaside.SurvivePolicy(),
	}).Draw(t, "preset")
	if rapid.IntRange(0, 3).Draw(t, "as it is") == 0 {
		policy.ServeStale.RefreshWait = min(policy.ServeStale.RefreshWait, 199*time.Millisecond)
		return policy
	}
	millis := func(name string, choices ...int) time.Duration {
		return time.Duration(rapid.SampledFrom(choices).Draw(t, name)) * time.Millisecond
	}
	policy.SourceConcurrency = rapid.IntRange(1, 3).Draw(t, "permits")
	policy.MaxInFlightKeys = policy.SourceConcurrency + rapid.IntRange(0, 2).Draw(t, "more keys")
	policy.MaxOverduePerKey = rapid.IntRange(1, policy.SourceConcurrency).Draw(t, "overdue")
	policy.MaxWaitersPerKey = rapid.IntRange(0, 3).Draw(t, "waiters")
	policy.AdmissionWait = millis("admission", 0, 17, 71)
	policy.LoadDeadline = millis("deadline", 100, 230)
	policy.RecordWait = millis("record", 0, 29, 53)
	policy.FailureBackoff = millis("backoff", 0, 43, 310)
	policy.ServeStale = cacheaside.StaleRules{
		OnTransient: rapid.Bool().Draw(t, "transient"), OnRejected: rapid.Bool().Draw(t, "rejected"), OnDeadline: rapid.Bool().Draw(t, "late"),
		RefreshWait: rapid.SampledFrom([]time.Duration{cacheaside.DontWait, 0, 37 * time.Millisecond, 61 * time.Millisecond}).Draw(t, "refresh"),
	}
	policy.CancelAbandoned = rapid.Bool().Draw(t, "abandoned")
	policy.Incompatible = rapid.SampledFrom([]cacheaside.EntryAction{cacheaside.FailFast, cacheaside.QuarantineAndReload}).Draw(t, "incompatible")
	policy.Future = rapid.SampledFrom([]cacheaside.EntryAction{cacheaside.FailFast, cacheaside.LoadOnly}).Draw(t, "future")
	policy.Corrupt = rapid.SampledFrom([]cacheaside.EntryAction{cacheaside.FailFast, cacheaside.LoadOnly}).Draw(t, "corrupt")
	return policy
}
