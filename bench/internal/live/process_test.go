package live_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/live"
	"github.com/cacheaside/resilience/internal/redistest"
)

// pids gives the numbers that the processes of a test have left.
func pids(t *testing.T, dir string) []int {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var numbers []int
	for _, file := range files {
		if n, err := strconv.Atoi(file.Name()); err == nil {
			numbers = append(numbers, n)
		}
	}
	return numbers
}

// runs tells whether a process is there and not waiting to be reaped by whoever inherited it.
func runs(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, after, found := bytes.Cut(stat, []byte(") "))
	return found && !bytes.HasPrefix(after, []byte("Z"))
}

func onlyOnLinux(t *testing.T) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells which processes there are by files")
	}
}

func mustBeGone(t *testing.T, dir string, most int) {
	t.Helper()
	numbers := pids(t, dir)
	if len(numbers) < 1 || len(numbers) > most {
		t.Errorf("%d processes have begun, want 1 to %d", len(numbers), most)
	}
	for _, pid := range numbers {
		if runs(pid) {
			t.Errorf("process %d is still there", pid)
		}
	}
}

// eventually waits until something holds, looking every few milliseconds.
func eventually(ctx context.Context, holds func() bool) bool {
	ticker := time.NewTicker(5 * time.Millisecond)
	defer ticker.Stop()
	for !holds() {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return false
		}
	}
	return true
}

func TestAWorkerThatFailsIsNamedAndNoProcessIsLeft(t *testing.T) {
	t.Parallel()
	redistest.Require(t)
	onlyOnLinux(t)
	for kind, words := range map[string]string{"dies": "exit status 7", "panics": "panic: out of order", "nonsense": "cannot be"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			c := madeUp(kind, dir)
			o := live.Options{Redis: live.Auto, Nodes: 2, Rate: 500, Keys: 2, Duration: time.Minute, Contenders: []contender.Contender{c}}
			begun := time.Now()
			found, err := live.Run(t.Context(), o, "S7", nil)
			var failed *live.WorkerError
			if !errors.As(err, &failed) || failed.Contender != c.ID {
				t.Fatalf("the error is %v, want one that names %s", err, c.ID)
			}
			variants := strings.Split(err.Error(), "\n") // a contender that fails does not keep the next run from being made
			for _, line := range variants {
				if !strings.Contains(line, c.ID) || !strings.Contains(line, words) {
					t.Errorf("%q does not name %s and say %q", line, c.ID, words)
				}
			}
			if len(variants) != 2 || !strings.Contains(strings.Join(found.Notes, "\n"), "not measured") {
				t.Errorf("%d variants failed, want 2; notes %q", len(variants), found.Notes)
			}
			if kind != "nonsense" && failed.Node != 1 {
				t.Errorf("node %d is blamed, want 1", failed.Node)
			}
			if took := time.Since(begun); took > 30*time.Second {
				t.Errorf("it takes %v to notice", took)
			}
			mustBeGone(t, dir, 4)
		})
	}
}

func TestACancelledRunKeepsWhatWasMeasured(t *testing.T) {
	t.Parallel()
	redistest.Require(t)
	onlyOnLinux(t)
	dir := t.TempDir()
	ctx, cancel := context.WithCancelCause(t.Context())
	reason := errors.New("enough")
	watched := make(chan bool, 1)
	go func() {
		watched <- eventually(t.Context(), func() bool { _, err := os.Stat(filepath.Join(dir, "runs")); return err == nil })
		cancel(reason)
	}()
	o := live.Options{Redis: live.Auto, Nodes: 1, Rate: 400, Duration: 5 * time.Minute, Contenders: []contender.Contender{madeUp("lasts", dir), these("P7")[0]}}
	found, err := live.Run(ctx, o, "S1", nil)
	if !<-watched || !errors.Is(err, reason) {
		t.Fatalf("the run ends with %v, want %v", err, reason)
	}
	if len(found.Runs) != 1 || !found.Runs[0].Interrupted || found.Runs[0].Offered < diesAt/2 || found.Runs[0].Good == 0 {
		t.Errorf("kept: %+v, want one interrupted run of at least %d requests", found.Runs, diesAt/2)
	}
	if len(found.Plots) == 0 || len(found.Parameters) == 0 {
		t.Errorf("%d plots and %d parameters of an interrupted run", len(found.Plots), len(found.Parameters))
	}
	mustBeGone(t, dir, 1)
}

// envParent makes the test binary a program that runs the lab until it is killed.
const envParent = "LIVE_TEST_PARENT"

func TestWorkersEndWithTheProcessThatStartedThem(t *testing.T) {
	if dir := os.Getenv(envParent); dir != "" {
		o := live.Options{Redis: live.Auto, Nodes: 2, Rate: 400, Keys: 2, Duration: 5 * time.Minute, Contenders: []contender.Contender{madeUp("lasts", dir)}}
		_, err := live.Run(context.Background(), o, "S7", nil)
		t.Fatal("the run was to be killed, and ended with", err)
	}
	t.Parallel()
	redistest.Require(t)
	onlyOnLinux(t)
	dir := t.TempDir()
	program := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	program.Env = append(os.Environ(), envParent+"="+dir, "TMPDIR="+t.TempDir())
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	running := eventually(ctx, func() bool { _, err := os.Stat(filepath.Join(dir, "runs")); return err == nil })
	if err := program.Process.Kill(); err != nil {
		t.Error(err)
	}
	_ = program.Wait() // killed, as it was to be
	if !running {
		t.Fatal("the run never began")
	}
	numbers := pids(t, dir)
	if len(numbers) != 2 {
		t.Errorf("%d workers were started, want 2", len(numbers))
	}
	for _, pid := range numbers {
		if !eventually(ctx, func() bool { return !runs(pid) }) {
			t.Errorf("worker %d outlives the process that started it", pid)
		}
	}
}
