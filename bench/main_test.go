package main_test

import (
	"bufio"
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/cacheaside/resilience/bench/internal/report"
	"github.com/cacheaside/resilience/bench/internal/result"
	"github.com/cacheaside/resilience/bench/internal/scenario"
	"github.com/cacheaside/resilience/internal/redistest"
)

// program is the command, built once.
var program string

func TestMain(m *testing.M) {
	code := func() int {
		dir, err := os.MkdirTemp("", "bench")
		if err != nil {
			panic(err)
		}
		defer os.RemoveAll(dir)
		program = filepath.Join(dir, "bench")
		if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
			panic(string(out))
		}
		return m.Run()
	}()
	os.Exit(code)
}

type outcome struct {
	code     int
	out, err string
}

func run(t *testing.T, env []string, args ...string) outcome {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), env...)
	var out, wrong bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &wrong
	return outcome{exitCode(t, cmd.Run()), out.String(), wrong.String()}
}

func exitCode(t *testing.T, err error) int {
	t.Helper()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode()
	}
	if err != nil {
		t.Fatal(err)
	}
	return 0
}

func TestTheListNamesEveryScenarioAndPolicy(t *testing.T) {
	t.Parallel()
	got := run(t, nil, "-list")
	if got.code != 0 || got.err != "" {
		t.Fatalf("%+v", got)
	}
	wanted := []string{scenario.MapID, "S18", "P0", "P7", "SurvivePolicy", "P8", "leases"}
	for _, s := range scenario.All() {
		wanted = append(wanted, s.ID, s.Title)
	}
	for _, want := range wanted {
		if !strings.Contains(got.out, want) {
			t.Errorf("the list lacks %q", want)
		}
	}
}

func TestAWrongCommandLineIsOneClearLine(t *testing.T) {
	t.Parallel()
	tests := []struct {
		args []string
		want []string
	}{
		{[]string{"-scenario", "S99"}, []string{"-scenario", `"S99"`, "S1, S2"}},
		{[]string{"-scenario", ""}, []string{"-scenario", "empty"}},
		{[]string{"-scenario", "S9,"}, []string{"-scenario", `""`}},
		{[]string{"-config", ""}, []string{"-config", "empty"}},
		{[]string{"-mode", "live", "-duration", "24h"}, []string{"-duration", "24h", "10m"}},
		{[]string{"-mode", "redis://:hunter/@2@h"}, []string{`"redis://…@h"`}},
		{[]string{"-scenario", "S9,S10", "-scenario", "S99"}, []string{`"S99"`, "map of -mode sim"}},
		{[]string{"-scenario", "S19"}, []string{"-scenario", `"S19"`}},
		{[]string{"-scenario", "S2", "-mode", "live"}, []string{"-scenario", `"S2"`, "live"}},
		{[]string{"-policy", "P9"}, []string{"-policy", `"P9"`, "P0, P1"}},
		{[]string{"-mode", "dream"}, []string{"-mode", `"dream"`, "sim", "live"}},
		{[]string{"-mode", "sim", "-redis", "auto"}, []string{"-redis", "-mode live"}},
		{[]string{"-nodes", "65"}, []string{"-nodes", "65", "0 to 64"}},
		{[]string{"-nodes", "-1"}, []string{"-nodes", "-1"}},
		{[]string{"-duration", "1ms"}, []string{"-duration", "1ms", "1s"}},
		{[]string{"-duration", "soon"}, []string{"-duration", "soon"}},
		{[]string{"-seed", "-1"}, []string{"-seed", "-1"}},
		{[]string{"-out", ""}, []string{"-out"}},
		{[]string{"-config", "x.toml", "-redis", "auto"}, []string{"-config", "-redis"}},
		{[]string{"-what"}, []string{"-what", "-help"}},
		{[]string{"S1"}, []string{`"S1"`, "-help"}},
	}
	for _, test := range tests {
		t.Run(strings.Join(test.args, " "), func(t *testing.T) {
			t.Parallel()
			got := run(t, nil, test.args...)
			if got.code != 2 || got.out != "" || strings.Count(got.err, "\n") != 1 {
				t.Errorf("%+v, want exit 2 and one line", got)
			}
			for _, want := range test.want {
				if !strings.Contains(got.err, want) {
					t.Errorf("%q does not say %q", got.err, want)
				}
			}
		})
	}
}

func TestWhatCannotBeReachedIsOneClearLineAndLeavesNothing(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		env  []string
		args []string
		want string
	}{
		{"a Redis that is not there", nil, []string{"-redis", "redis://:hunter2@127.0.0.1:1/0", "-scenario", "S9"}, "127.0.0.1:1"},
		{"no redis-server", []string{"PATH=", redistest.EnvServer + "="}, []string{"-redis", "auto", "-scenario", "S9"}, "redis-server"},
		{"no address at all", nil, []string{"-redis", "hunter2://x", "-scenario", "S9"}, "redis"},
		{"a missing config", nil, []string{"-config", "missing.toml"}, "missing.toml"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			out := filepath.Join(t.TempDir(), "report")
			got := run(t, test.env, append(test.args, "-out", out)...)
			if got.code != 1 || got.out != "" || strings.Count(got.err, "\n") != 1 || !strings.Contains(got.err, test.want) {
				t.Errorf("%+v, want exit 1 and one line with %q", got, test.want)
			}
			if strings.Contains(got.err, "hunter2:") || strings.Contains(got.err, ":hunter2@") {
				t.Errorf("the password is in %q", got.err)
			}
			if _, err := os.Stat(out); !os.IsNotExist(err) {
				t.Errorf("a report was begun: %v", err)
			}
		})
	}
}

func TestARunPrintsATableAndWritesAReport(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "deep", "report")
	got := run(t, nil, "-scenario", "S10,S9", "-policy", "P3,P7", "-seed", "5", "-out", out)
	if got.code != 0 {
		t.Fatalf("%+v", got)
	}
	for _, want := range []string{"S9", "S10", "P3", "P7", "pass", "report.html"} {
		if !strings.Contains(got.out, want) {
			t.Errorf("the table lacks %q", want)
		}
	}
	document, err := report.Read(filepath.Join(out, "results.json"))
	if err != nil {
		t.Fatal(err)
	}
	if !document.Complete || document.Seed != 5 || len(document.Scenarios) != 2 || document.Scenarios[0].ID != "S9" {
		t.Errorf("complete %t, seed %d, %d scenarios", document.Complete, document.Seed, len(document.Scenarios))
	}
	for _, s := range document.Scenarios {
		if len(s.Runs) != 2 || len(s.Checks) < 4 {
			t.Errorf("%s: %d runs, %d checks", s.ID, len(s.Runs), len(s.Checks))
		}
	}
	if page, err := os.ReadFile(filepath.Join(out, "report.html")); err != nil || !bytes.Contains(page, []byte("convoy")) {
		t.Errorf("report.html: %d bytes, %v", len(page), err)
	}
}

func TestAnInterruptWritesWhatWasMeasured(t *testing.T) {
	t.Parallel()
	for _, asked := range []syscall.Signal{syscall.SIGINT, syscall.SIGHUP} {
		t.Run(asked.String(), func(t *testing.T) {
			t.Parallel()
			interrupted(t, asked)
		})
	}
}

func interrupted(t *testing.T, asked syscall.Signal) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "report")
	cmd := exec.CommandContext(t.Context(), program, "-full", "-scenario", "S3,S9,S12,map", "-out", out)
	said, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	var printed bytes.Buffer
	cmd.Stdout = &printed
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(said)
	for lines.Scan() && !strings.Contains(lines.Text(), "% done") {
		t.Log(lines.Text())
	}
	if err := cmd.Process.Signal(asked); err != nil {
		t.Fatal(err)
	}
	for lines.Scan() {
		t.Log(lines.Text())
	}
	if code := exitCode(t, cmd.Wait()); code != 130 {
		t.Errorf("exit %d, want 130", code)
	}
	document, err := report.Read(filepath.Join(out, "results.json"))
	if err != nil {
		t.Fatal(err)
	}
	if document.Complete || len(document.Scenarios) == 0 {
		t.Errorf("complete %t, %d scenarios", document.Complete, len(document.Scenarios))
	}
	cut := slices.ContainsFunc(document.Scenarios, func(s result.Scenario) bool {
		return slices.ContainsFunc(s.Runs, func(r result.Run) bool { return r.Interrupted })
	})
	if !cut || !strings.Contains(printed.String(), "Not all was measured") {
		t.Errorf("no run is marked as interrupted, or it was not said: %s", printed.String())
	}
}

func TestAFilesOwnSeedIsUsedUnlessTheFlagIsGiven(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "mine.toml")
	text := "[region]\nname = \"mine\"\n[users]\nrate = 100\nkeys = 100\n[run]\nlength = \"10s\"\nseed = 7\ncompare = []\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for seed, args := range map[uint64][]string{7: nil, 9: {"-seed", "9"}} {
		out := filepath.Join(t.TempDir(), "report")
		if got := run(t, nil, append(args, "-config", file, "-out", out)...); got.code != 0 {
			t.Fatalf("%+v", got)
		}
		document, err := report.Read(filepath.Join(out, "results.json"))
		if err != nil {
			t.Fatal(err)
		}
		if document.Seed != seed || len(document.Scenarios) != 1 || len(document.Scenarios[0].Runs) != 1 {
			t.Errorf("%v: seed %d, %d scenarios", args, document.Seed, len(document.Scenarios))
		}
	}
}
