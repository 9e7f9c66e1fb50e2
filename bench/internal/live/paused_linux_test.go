package live_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cacheaside/resilience/bench/internal/live"
)

// TestNoArrivalIsLeftOutWhereTheGeneratorFallsBehind suspends the worker in the middle of a run: users who were to arrive meanwhile arrive all the
// same, and the time that it took counts as theirs.
func TestNoArrivalIsLeftOutWhereTheGeneratorFallsBehind(t *testing.T) {
	t.Parallel()
	const paused = 600 * time.Millisecond
	dir := t.TempDir()
	told := make(chan string, 1)
	go func() { told <- pauseWorker(t, dir, paused) }()
	c := madeUp("lasts", dir)
	found := play(t, "S1", live.Options{Contenders: append(these("P7"), c), Nodes: 1, Rate: 300, Duration: 2 * time.Second})
	if wrong := <-told; wrong != "" {
		t.Fatal(wrong)
	}
	steady, late := runOf(t, found, "P7", "nodes=1"), runOf(t, found, c.ID, "nodes=1")
	if late.Offered != steady.Offered {
		t.Errorf("a worker that was suspended is offered %d requests, another one %d; want the same", late.Offered, steady.Offered)
	}
	if least := paused.Seconds() * 1e3 * 0.9; late.Latency.Max < least {
		t.Errorf("the longest call of a worker that was suspended takes %v ms, want %v or more", late.Latency.Max, least)
	}
	if missed := late.Offered - late.Good; missed == 0 {
		t.Error("users who were to arrive while the worker was suspended for longer than their deadline were all served in time")
	}
	if late.Endings["timed out"] == 0 {
		t.Errorf("the calls end as %v; want those whose deadline had passed before they could be sent to have timed out", late.Endings)
	}
	if !strings.Contains(strings.Join(found.Notes, "\n"), c.ID+" nodes=1: the machine was too busy") {
		t.Errorf("the notes do not tell that arrivals were sent late: %q", found.Notes)
	}
}

// pauseWorker suspends the one worker that leaves its number in dir, from its hundredth read on, and says what went wrong.
func pauseWorker(t *testing.T, dir string, lasts time.Duration) string {
	if !eventually(t.Context(), func() bool { _, err := os.Stat(filepath.Join(dir, "runs")); return err == nil }) {
		return "the run never began"
	}
	for _, pid := range pids(t, dir) {
		if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
			return err.Error()
		}
		<-time.After(lasts)
		if err := syscall.Kill(pid, syscall.SIGCONT); err != nil {
			return err.Error()
		}
	}
	return ""
}
