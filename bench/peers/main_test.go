package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cacheaside/resilience/bench/internal/result"
	"github.com/cacheaside/resilience/bench/peers/internal/adapters"
	"github.com/cacheaside/resilience/bench/peers/internal/correctness"
	"github.com/cacheaside/resilience/bench/peers/internal/scenarios"
	"github.com/cacheaside/resilience/internal/redistest"
)

func TestMain(m *testing.M) {
	adapters.Quiet()
	if isChild, code := child(); isChild {
		os.Exit(code)
	}
	os.Exit(m.Run())
}

func TestBadArgumentsAreNamedInOneLine(t *testing.T) {
	t.Parallel()
	tests := []struct {
		args []string
		want string
	}{
		{[]string{"-no-such-flag"}, "-no-such-flag"},
		{[]string{"cancel"}, `argument "cancel" is not a flag`},
		{[]string{"-parallel", "0"}, "-parallel is 0, must be 1 to 64"},
		{[]string{"-parallel", "65"}, "-parallel is 65, must be 1 to 64"},
		{[]string{"-redis", "127.0.0.1:6379"}, "-redis must be auto or redis://host:port"},
		{[]string{"-redis", "rediss://host:6379"}, "-redis must be auto or redis://host:port"},
		{[]string{"-redis", "redis://user:hunter2@host:6379"}, "-redis must be redis://host:port alone"},
		{[]string{"-redis", "redis://host:6379/3"}, "-redis must be redis://host:port alone"},
		{[]string{"-redis", "redis://host:hunter2"}, "-redis must be auto or redis://host:port"},
		{[]string{"-libraries", "otter,ottter"}, `-libraries names "ottter", which is none of resilience-survive`},
		{[]string{"-experiments", "cold,"}, `-experiments names "", which is none of cancel`},
		{[]string{"-scenario", "S1,S7"}, `-scenario names "S7", which is none of S1, S9, S10, S11, S18`},
		{[]string{"-scenario", "none", "-experiments", "none"}, "-experiments none and -scenario none leave nothing to measure"},
		{[]string{"-duration", "2s"}, "-duration is 2s, must be 3s to 5m0s"},
		{[]string{"-duration", "6m"}, "-duration is 6m0s, must be 3s to 5m0s"},
		{[]string{"-duration", "long"}, "-duration"},
		{[]string{"-nodes", "0"}, "-nodes is 0, must be 1 to 64"},
		{[]string{"-nodes", "65"}, "-nodes is 65, must be 1 to 64"},
		{[]string{"-seed", "-1"}, "-seed"},
	}
	for _, test := range tests {
		err := run(t.Context(), test.args, io.Discard, io.Discard)
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, want %q", test.args, err, test.want)
		}
		if err != nil && strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%q: the password is in the error", test.args)
		}
	}
}

func TestAHostWithoutAPortIsThatOfRedis(t *testing.T) {
	t.Parallel()
	for redis, want := range map[string]string{"auto": "", "redis://host": "host:6379", "redis://host:1/": "host:1", "redis://[::1]:7": "[::1]:7"} {
		if got, err := address(redis); err != nil || got != want {
			t.Errorf("%s: %q, %v", redis, got, err)
		}
	}
}

func TestHelpNamesTheFlags(t *testing.T) {
	t.Parallel()
	var usage bytes.Buffer
	if err := run(t.Context(), []string{"-help"}, io.Discard, &usage); !errors.Is(err, flag.ErrHelp) {
		t.Error(err)
	}
	for _, name := range []string{"-redis", "-out", "-list", "-libraries", "-experiments", "-parallel", "-scenario", "-duration", "-seed", "-nodes"} {
		if !strings.Contains(usage.String(), name) {
			t.Errorf("%s is not in:\n%s", name, usage.String())
		}
	}
}

func TestTheListNamesEveryLibraryWithAVersion(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if err := run(t.Context(), []string{"-list"}, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	found := versions(adapters.Peers(adapters.Place{}))
	for _, p := range adapters.Peers(adapters.Place{}) {
		if found[p.Module] == "" || !strings.Contains(out.String(), p.ID) || !strings.Contains(out.String(), found[p.Module]) {
			t.Errorf("%s %q is not in the list", p.ID, found[p.Module])
		}
	}
	for _, e := range correctness.Experiments() {
		if !strings.Contains(out.String(), e.ID) {
			t.Errorf("%s is not in the list", e.ID)
		}
	}
	for _, s := range scenarios.List() {
		if !strings.Contains(out.String(), s.ID) || !strings.Contains(out.String(), s.Title) {
			t.Errorf("%s is not in the list", s.ID)
		}
	}
	if found["github.com/cacheaside/resilience"] != "devel" || !strings.HasPrefix(found["github.com/maypok86/otter/v2"], "v2.") {
		t.Errorf("%q", found)
	}
}

func TestARunIsPrintedAndWritten(t *testing.T) {
	t.Parallel()
	redistest.Require(t)
	dir := filepath.Join(t.TempDir(), "made")
	var out, progress bytes.Buffer
	args := []string{"-experiments", "absent", "-scenario", "none", "-libraries", "resilience-strict,otter", "-out", dir}
	if err := run(t.Context(), args, &out, &progress); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "results.json"))
	if err != nil {
		t.Fatal(err)
	}
	var document result.Document
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	if !document.Complete || len(document.Tables) != 1 || len(document.Tables[0].Rows) != correctness.AboutRows+1 || document.Machine.CPUs == 0 ||
		!strings.HasPrefix(document.Versions["server"], "redis ") || document.Command != "go run ./bench/peers "+strings.Join(args, " ") {
		t.Errorf("%s", text)
	}
	row := document.Tables[0].Rows[correctness.AboutRows]
	if len(row) != 3 || !strings.HasPrefix(row[1], "absence: remembered, 1 load") {
		t.Errorf("%q", row)
	}
	for _, want := range []string{"resilience-strict", "absence: remembered, 1 load", document.Versions["server"], "report.html"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in:\n%s", want, out.String())
		}
	}
	if !strings.Contains(progress.String(), "2 of 2: absent, ") {
		t.Errorf("progress %q", progress.String())
	}
}

func TestAnInterruptedRunSaysSo(t *testing.T) {
	t.Parallel()
	redistest.Require(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	dir := t.TempDir()
	args := []string{"-experiments", "absent", "-scenario", "none", "-libraries", "otter,sturdyc", "-parallel", "1", "-out", dir}
	err := run(ctx, args, io.Discard, onWrite(cancel))
	if err == nil || err.Error() != "interrupted: 1 of 2 cells were measured" {
		t.Error(err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "results.json")); err != nil || !strings.Contains(string(text), `"complete": false`) {
		t.Errorf("%s, %v", text, err)
	}
}

// onWrite calls a function at the first sign of progress.
type onWrite func()

func (f onWrite) Write(p []byte) (int, error) {
	f()
	return len(p), nil
}

func TestWithoutARedisServerTheRunSaysWhatToDo(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv(redistest.EnvServer, "")
	err := run(t.Context(), nil, io.Discard, io.Discard)
	if err == nil || !strings.Contains(err.Error(), "no redis-server on PATH") {
		t.Error(err)
	}
	if err := run(t.Context(), []string{"-redis", "redis://127.0.0.1:1"}, io.Discard, io.Discard); err == nil ||
		!strings.Contains(err.Error(), "the Redis does not answer") {
		t.Error(err)
	}
}
