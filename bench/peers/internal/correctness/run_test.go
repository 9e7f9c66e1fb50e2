package correctness_test

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cacheaside/resilience/bench/peers/internal/adapters"
	"github.com/cacheaside/resilience/bench/peers/internal/correctness"
	"github.com/cacheaside/resilience/internal/redistest"
)

func TestAChildThatDiesOrHangsIsAResultAndNotTheEnd(t *testing.T) {
	t.Parallel()
	redistest.Require(t)
	experiments := []correctness.Experiment{
		{ID: dies, Title: "dies", Limit: time.Minute},
		{ID: hangs, Title: "hangs", Limit: 300 * time.Millisecond},
		{ID: raves, Title: "raves", Limit: time.Minute},
		{ID: throws, Title: "throws", Limit: time.Minute},
	}
	wants := []struct {
		outcome correctness.Outcome
		text    string
	}{
		{correctness.Died, "the process died: panic: boom"},
		{correctness.Hung, "hung: no end within 300ms"},
		{correctness.Died, "the process died: exit status 5"},
		{correctness.Died, "the process died: fatal error: all goroutines are asleep - deadlock!"},
	}
	cells := runner(t, nil).Run(t.Context(), experiments, adapters.Peers(adapters.Place{})[:1])
	if len(cells) != len(wants) {
		t.Fatalf("%d cells of %d", len(cells), len(wants))
	}
	for i, want := range wants {
		if cells[i].Outcome != want.outcome || cells[i].Text != want.text || cells[i].Experiment != experiments[i].ID {
			t.Errorf("%s: %s %q, want %s %q", experiments[i].ID, cells[i].Outcome, cells[i].Text, want.outcome, want.text)
		}
	}
}

func TestAnInterruptedRunLeavesOutWhatItDidNotReach(t *testing.T) {
	t.Parallel()
	redistest.Require(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	experiments := []correctness.Experiment{{ID: raves, Limit: time.Minute}, {ID: hangs, Limit: time.Minute}, {ID: raves, Limit: time.Minute}}
	r := runner(t, func(correctness.Cell) { cancel() })
	r.Parallel = 1
	cells := r.Run(ctx, experiments, adapters.Peers(adapters.Place{})[:1])
	if len(cells) != 1 || cells[0].Experiment != raves {
		t.Errorf("%+v", cells)
	}
}

func TestARedisThatIsNotTheRunsOwnIsNotHurt(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Options{})
	outage, _ := correctness.ByID("paused-one")
	absent, _ := correctness.ByID("absent")
	r := runner(t, nil)
	r.Addr = server.Addr()
	strict, _ := adapters.ByID(adapters.Place{Addr: r.Addr}, adapters.Strict)
	cells := r.Run(t.Context(), []correctness.Experiment{outage, absent}, []adapters.Peer{strict})
	if len(cells) != 2 || cells[0].Outcome != correctness.NotApplicable || cells[1].Outcome != correctness.Measured {
		t.Errorf("%+v", cells)
	}
	if err := server.Client().Ping(t.Context()).Err(); err != nil {
		t.Error(err)
	}
}

func TestATableHasARowForEachExperimentAndAColumnForEachLibrary(t *testing.T) {
	t.Parallel()
	peers, experiments := adapters.Peers(adapters.Place{})[:2], correctness.Experiments()[:2]
	table := correctness.Table(experiments, peers, []correctness.Cell{
		{Experiment: experiments[1].ID, Peer: peers[0].ID, Text: "measured"},
	})
	want := [][]string{
		{"where values are kept", peers[0].Keeps, peers[1].Keeps},
		{"set up as documented at", peers[0].Page, peers[1].Page},
		{experiments[0].Title, "", ""},
		{experiments[1].Title, "measured", ""},
	}
	if !slices.Equal(table.Columns, []string{"what happens", peers[0].ID, peers[1].ID}) {
		t.Errorf("columns %q", table.Columns)
	}
	if !slices.EqualFunc(table.Rows, want, slices.Equal) {
		t.Errorf("rows %q", table.Rows)
	}
}

func TestExperimentsAreToldApart(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, e := range correctness.Experiments() {
		if seen[e.ID] || strings.ContainsAny(e.ID, " ,") || e.Title == "" || e.Limit <= 0 {
			t.Errorf("%+v", e)
		}
		seen[e.ID] = true
		if _, err := correctness.Judged(e, []byte("not JSON")); err == nil {
			t.Errorf("%s takes anything for an observation", e.ID)
		}
	}
}

func runner(t *testing.T, done func(correctness.Cell)) correctness.Runner {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return correctness.Runner{Program: program, Parallel: 4, Done: done}
}
