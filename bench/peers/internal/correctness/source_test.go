package correctness_test

import (
	"context"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/peers/internal/correctness"
)

func TestASourceCountsLoadsHoweverTheyEnd(t *testing.T) {
	t.Parallel()
	const loads = 3
	var under sync.WaitGroup
	under.Add(loads)
	source, count, _ := correctness.NewSource(func(_ context.Context, key uint64) (contender.Row, error) {
		under.Done()
		under.Wait() // all three are under way at once
		switch key {
		case 0:
			panic("x")
		case 1:
			runtime.Goexit()
		}
		return contender.Row{}, contender.ErrSource
	})
	var done sync.WaitGroup
	load := func(key uint64) {
		done.Go(func() {
			defer func() { _ = recover() }()
			_, _ = source.Load(t.Context(), key)
		})
	}
	for key := range uint64(loads) {
		load(key)
	}
	done.Wait()
	if got := count(); got != (correctness.Load{Calls: loads, Peak: loads}) {
		t.Errorf("%+v", got)
	}
	under.Add(1)
	_, _ = source.Load(t.Context(), 2)
	if got := count(); got != (correctness.Load{Calls: loads + 1, Peak: loads}) {
		t.Errorf("one more at a time: %+v", got)
	}
}

func TestASourceKnowsWhatItGave(t *testing.T) {
	t.Parallel()
	source, _, gave := correctness.NewSource(func(_ context.Context, key uint64) (contender.Row, error) {
		return correctness.RowOf(key, 1), nil
	})
	row, err := source.Load(t.Context(), 5)
	if err != nil || len(row.Body) != 1024 || !gave(5, row) {
		t.Fatalf("%v, %d bytes, known %t", err, len(row.Body), gave(5, row))
	}
	flipped := row
	flipped.Body = append([]byte(nil), row.Body...)
	flipped.Body[500] ^= 1
	newer, older := row, row
	newer.Version++
	older.ReadAt--
	for name, wrong := range map[string]contender.Row{"a flipped bit": flipped, "a version": newer, "a time": older, "zero": {}} {
		if gave(5, wrong) {
			t.Errorf("%s passes", name)
		}
	}
	if gave(6, row) {
		t.Error("another key's row passes")
	}
}

func TestACrowdIsCountedHoweverItsCallersEnd(t *testing.T) {
	t.Parallel()
	held := make(chan struct{})
	defer close(held)
	answers := []contender.Answer{
		{Ending: contender.Hit}, {Ending: contender.Loaded}, {Ending: contender.Stale}, {Ending: contender.Absent},
		{Ending: contender.Failed, Reason: "source"}, {Ending: contender.Rejected, Reason: "KeysFull"}, {Ending: contender.TimedOut},
	}
	n := len(answers) + 2
	tally := correctness.Crowd(t.Context(), n, time.Minute, 300*time.Millisecond, func(_ context.Context, caller int) contender.Answer {
		switch {
		case caller < len(answers):
			return answers[caller]
		case caller == len(answers):
			runtime.Goexit()
		}
		<-held
		return contender.Answer{}
	})
	if tally.Callers != n || tally.Values != 2 || tally.Stale != 1 || tally.Absent != 1 || tally.Exited != 1 || tally.NotBack != 1 || tally.Late != 0 {
		t.Errorf("%+v", tally)
	}
	for _, other := range []string{"failed: source", "rejected: KeysFull", "timed out"} {
		if tally.Others[other] != 1 {
			t.Errorf("%q: %+v", other, tally.Others)
		}
	}
}

func TestAnAnswerAfterTheDeadlineIsLate(t *testing.T) {
	t.Parallel()
	tally := correctness.Crowd(t.Context(), 1, time.Millisecond, time.Minute, func(ctx context.Context, _ int) contender.Answer {
		<-ctx.Done()
		<-time.After(100 * time.Millisecond) // a library that does not look at the context
		return contender.Answer{Ending: contender.Hit}
	})
	if tally.Values != 1 || tally.Late != 1 || tally.SlowestMS < 100 {
		t.Errorf("%+v", tally)
	}
}
