package scenario_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/cacheaside/resilience/bench/internal/bubble"
	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/result"
	"github.com/cacheaside/resilience/bench/internal/scenario"
	"github.com/cacheaside/resilience/cacheaside"
)

// port is the cache of a node, of which a mutant spoils one thing.
type port interface {
	cacheaside.Cache[uint64, contender.Row]
	cacheaside.Fencer[uint64, contender.Row]
	cacheaside.LifetimeReporter
}

type spoilt struct {
	port
	lookup func(cacheaside.Lookup[contender.Row]) cacheaside.Lookup[contender.Row]
	record func(ctx context.Context, to port, key uint64, entry cacheaside.Entry[contender.Row], condition cacheaside.Condition) cacheaside.RecordOutcome
}

func (s spoilt) Lookup(ctx context.Context, key uint64) cacheaside.Lookup[contender.Row] {
	return s.lookup(s.port.Lookup(ctx, key))
}

func (s spoilt) Record(ctx context.Context, key uint64, entry cacheaside.Entry[contender.Row], condition cacheaside.Condition) cacheaside.RecordOutcome {
	return s.record(ctx, s.port, key, entry, condition)
}

func asItIs(found cacheaside.Lookup[contender.Row]) cacheaside.Lookup[contender.Row] { return found }

// withoutTombstone makes an invalidation what a DEL is: whoever looks finds nothing, and whoever records only for an absent key may.
func withoutTombstone(p port) port {
	return spoilt{p, func(found cacheaside.Lookup[contender.Row]) cacheaside.Lookup[contender.Row] {
		if found.Kind == cacheaside.LookupMiss {
			return cacheaside.Lookup[contender.Row]{Kind: cacheaside.LookupMiss, Miss: cacheaside.MissAbsent}
		}
		return found
	}, func(ctx context.Context, to port, key uint64, entry cacheaside.Entry[contender.Row], condition cacheaside.Condition) cacheaside.RecordOutcome {
		if condition.Observation == "" {
			if found := to.Lookup(ctx, key); found.Kind == cacheaside.LookupMiss {
				condition.Observation = found.Observation
			}
		}
		return to.Record(ctx, key, entry, condition)
	}}
}

// unconditional records whatever has been written since the lookup.
func unconditional(p port) port {
	return spoilt{p, asItIs, func(ctx context.Context, to port, key uint64, entry cacheaside.Entry[contender.Row], condition cacheaside.Condition) cacheaside.RecordOutcome {
		condition.Observation = to.Lookup(ctx, key).Observation
		return to.Record(ctx, key, entry, condition)
	}}
}

// overwritesAbsent records over what it has not observed only where it observed nothing.
func overwritesAbsent(p port) port {
	return spoilt{p, asItIs, func(ctx context.Context, to port, key uint64, entry cacheaside.Entry[contender.Row], condition cacheaside.Condition) cacheaside.RecordOutcome {
		if condition.Observation == "" {
			condition.Observation = to.Lookup(ctx, key).Observation
		}
		return to.Record(ctx, key, entry, condition)
	}}
}

// mutant is SurvivePolicy on a cache of which one thing is spoilt.
func mutant(t *testing.T, spoil func(port) port) contender.Contender {
	t.Helper()
	return spoilAs(t, "P7", spoil)
}

func spoilAs(t *testing.T, id string, spoil func(port) port) contender.Contender {
	t.Helper()
	c := one(t, id)
	open := c.Open
	c.Open = func(node contender.Node) (contender.Reader, error) {
		whole, ok := node.Cache.(port)
		if !ok {
			return nil, errors.New("the cache of a node cannot be invalidated")
		}
		node.Cache = spoil(whole)
		return open(node)
	}
	return c
}

// concluded makes the runs of one contender on a scenario, and concludes.
func concluded(t *testing.T, id string, o scenario.Options) result.Scenario {
	t.Helper()
	s := find(t, id)
	var runs []result.Run
	for _, task := range s.Plan(o) {
		run, err := task.Run(t.Context(), bubble.Of(t), nil)
		if err != nil {
			t.Fatal(err)
		}
		runs = append(runs, run)
	}
	return s.Conclude(o, runs)
}

// failures gives the checks of a conclusion that fail.
func failures(found result.Scenario) (failed []string) {
	for _, check := range found.Checks {
		if check.Verdict == result.Fail {
			failed = append(failed, check.Variant+": "+check.What+" is "+check.Measured)
		}
	}
	return failed
}

func TestTheInterleavingsCatchALibraryThatForgetsAnInvalidation(t *testing.T) {
	mutants := map[string]func(port) port{
		"as it is": func(p port) port { return p }, "a DEL in place of the tombstone": withoutTombstone, "a fill without its condition": unconditional,
		"a fill for an absent key over anything": overwritesAbsent,
	}
	for name, spoil := range mutants {
		for seed := range uint64(2) {
			o := scenario.Options{Seed: seed + 1, Size: scenario.Quarter, Contenders: []contender.Contender{mutant(t, spoil)}}
			failed := failures(concluded(t, "S12", o))
			if caught := len(failed) > 0; caught != (name != "as it is") {
				t.Errorf("seed %d, %s: caught is %v: %s", o.Seed, name, caught, strings.Join(failed, "; "))
			}

		}
	}
}

// denies tells every absence as a failure that may pass.
type denies struct{ contender.Source }

func (d denies) Load(ctx context.Context, key uint64) (contender.Row, error) {
	row, err := d.Source.Load(ctx, key)
	if errors.Is(err, contender.ErrNoRow) {
		err = contender.ErrSource
	}
	return row, err
}

func TestABrownOutCatchesALibraryThatTakesAbsencesForFailures(t *testing.T) {
	c := one(t, "P7")
	open := c.Open
	c.Open = func(node contender.Node) (contender.Reader, error) {
		node.Source = denies{node.Source}
		return open(node)
	}
	o := scenario.Options{Seed: 1, Size: scenario.Quarter, Contenders: []contender.Contender{c}}
	for _, failed := range failures(concluded(t, "S5", o)) {
		if strings.Contains(failed, "absences masked") {
			return
		}
	}
	t.Error("absences were masked by old rows, and no check has seen it")
}

// TestAKeyThatIsNeverUsableAgainIsNotUsableAtOnce runs a load that hangs for ever without anything that would end it.
func TestAKeyThatIsNeverUsableAgainIsNotUsableAtOnce(t *testing.T) {
	found := concluded(t, "S11", scenario.Options{Seed: 1, Size: scenario.Quarter, Contenders: []contender.Contender{one(t, "P2")}})
	for _, check := range found.Checks {
		if check.Variant == "one load hangs" && strings.HasPrefix(check.What, "the key is usable") && check.Measured != "never" {
			t.Errorf("a detached flight without a deadline: %s is %s", check.What, check.Measured)
		}
	}
	if kept := inDisguise(t, "S11", "P2", "P7"); !strings.Contains(strings.Join(failures(kept), ";"), "the key is usable again after, s is never") {
		t.Errorf("SurvivePolicy's bound is kept by a key that is dead: %v", failures(kept))
	}
}

func TestAShortDurationLeavesTheTimeThatABoundIsFor(t *testing.T) {
	o := scenario.Options{Seed: 1, Size: scenario.Quarter, Length: 10 * time.Second, Contenders: []contender.Contender{one(t, "P7")}}
	for _, check := range concluded(t, "S2", o).Checks {
		if check.Verdict != result.Pass {
			t.Errorf("%s is %s with -duration 10s", check.What, check.Measured)
		}
	}
}
