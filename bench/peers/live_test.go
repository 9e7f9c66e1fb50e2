package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cacheaside/resilience/bench/internal/result"
	"github.com/cacheaside/resilience/bench/peers/internal/adapters"
	"github.com/cacheaside/resilience/internal/redistest"
)

// It is the only one that runs by itself: others start processes meanwhile.
func TestLiveScenariosCompareLibrariesAndLeaveNeitherKeyNorProcess(t *testing.T) {
	server := redistest.Start(t, redistest.Options{})
	if err := server.Client().Set(t.Context(), "user:1", "theirs", 0).Err(); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	var out bytes.Buffer
	args := []string{
		"-redis", "redis://" + server.Addr(), "-scenario", "S9,S10", "-experiments", "absent", "-libraries", adapters.Survive + ",otter,rueidisaside",
		"-out", dir,
	}
	if err := run(t.Context(), args, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	document := read(t, dir)
	if !document.Complete || len(document.Scenarios) != 2 || len(document.Tables) != 1 {
		t.Fatalf("complete %t, %d scenarios, %d tables", document.Complete, len(document.Scenarios), len(document.Tables))
	}
	for _, s := range document.Scenarios {
		var ids []string
		for _, r := range s.Runs {
			ids = append(ids, r.Contender)
		}
		if want := []string{adapters.Survive, "otter", "rueidisaside"}; !slices.Equal(ids, want) {
			t.Errorf("%s has runs of %v, want %v", s.ID, ids, want)
		}
		passed := 0
		for _, c := range s.Checks {
			switch {
			case c.Contender != adapters.Survive && c.Verdict != result.Shown:
				t.Errorf("%s of %s is judged: %+v", s.ID, c.Contender, c)
			case c.Verdict == result.Fail:
				t.Errorf("%s: %s is %s, must be %s", s.ID, c.What, c.Measured, c.Bound)
			case c.Verdict == result.Pass:
				passed++
			}
		}
		if passed == 0 {
			t.Errorf("%s: nothing is judged of this library", s.ID)
		}
		if len(s.Plots) == 0 || len(s.Notes) == 0 || s.Runs[1].StoreOperations != 0 || s.Runs[2].StoreOperations == 0 {
			t.Errorf("%s: %d plots, %d notes, %v and %v commands a read of otter and rueidisaside", s.ID, len(s.Plots), len(s.Notes),
				s.Runs[1].StoreOperations, s.Runs[2].StoreOperations)
		}
	}
	for _, want := range []string{"S9 · Failing cold key", "S10 · Leader cancelled", "checks passed", "absence: remembered, 1 load", "- Bounds are of this"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in:\n%s", want, out.String())
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "report.html")); err != nil {
		t.Error(err)
	}
	// rueidisaside's marks of processes that end without a word, as those of experiments do, expire by themselves.
	keys := slices.DeleteFunc(server.Client().Keys(t.Context(), "*").Val(), func(key string) bool { return strings.HasPrefix(key, "rueidisid:") })
	if !slices.Equal(keys, []string{"user:1"}) {
		t.Errorf("left are %q, want what was there", keys)
	}
	for _, pid := range children(t) {
		t.Errorf("process %d is left", pid)
	}
}

func TestAnInterruptedScenarioIsReportedAsFarAsItWent(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	dir := t.TempDir()
	args := []string{"-redis", "redis://" + server.Addr(), "-scenario", "S10,S18", "-experiments", "none", "-libraries", "rueidisaside,go-zero", "-out", dir}
	err := run(ctx, args, io.Discard, onWrite(cancel))
	if err == nil || err.Error() != "interrupted: 1 of 2 scenarios were begun" {
		t.Error(err)
	}
	document := read(t, dir)
	if document.Complete || len(document.Scenarios) != 1 || len(document.Scenarios[0].Runs) == 0 {
		t.Errorf("complete %t, %d scenarios", document.Complete, len(document.Scenarios))
	}
	if left := server.Client().DBSize(t.Context()).Val(); left != 0 {
		t.Errorf("%d keys are left", left)
	}
}

func read(t *testing.T, dir string) (document result.Document) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "results.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	return document
}

// children gives the processes of this program that this process has started, where the system tells.
func children(t *testing.T) (left []int) {
	t.Helper()
	lists, err := filepath.Glob("/proc/self/task/*/children")
	if err != nil || len(lists) == 0 {
		t.Log("this system does not tell the children of a process")
		return nil
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, list := range lists {
		text, _ := os.ReadFile(list) // of a thread that has ended there is none
		for _, word := range strings.Fields(string(text)) {
			pid, _ := strconv.Atoi(word)
			if exe, err := os.Readlink("/proc/" + word + "/exe"); err == nil && exe == self {
				left = append(left, pid)
			}
		}
	}
	return left
}
