package main_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/cacheaside/resilience/bench/internal/report"
	"github.com/cacheaside/resilience/internal/redistest"
)

func TestARepeatedListNamesMoreAndSpacesDoNotCount(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "report")
	if got := run(t, nil, "-scenario", "S9, S9", "-scenario", "S10", "-policy", "P7", "-out", out); got.code != 0 {
		t.Fatalf("%+v", got)
	}
	document, err := report.Read(filepath.Join(out, "results.json"))
	if err != nil {
		t.Fatal(err)
	}
	if len(document.Scenarios) != 2 || document.Scenarios[0].ID != "S9" || document.Scenarios[1].ID != "S10" {
		t.Errorf("%d scenarios, want S9 and S10", len(document.Scenarios))
	}
}

func TestAReportThatCannotBeWrittenIsToldBeforeAnythingIsMeasured(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, out := range []string{file, filepath.Join(file, "below")} {
		got := run(t, nil, "-scenario", "S9", "-policy", "P7", "-out", out)
		if got.code != 1 || got.out != "" || strings.Count(got.err, "\n") != 1 || !strings.Contains(got.err, "-out") {
			t.Errorf("%+v, want exit 1 and one line about -out", got)
		}
	}
}

func TestAReaderThatLeavesDoesNotCostTheReport(t *testing.T) {
	t.Parallel()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	_ = read.Close()
	defer write.Close()
	out := filepath.Join(t.TempDir(), "report")
	cmd := exec.CommandContext(t.Context(), program, "-scenario", "S9", "-policy", "P7", "-out", out)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = write, &said
	if code := exitCode(t, cmd.Run()); code != 1 || !strings.Contains(said.String(), syscall.EPIPE.Error()) {
		t.Errorf("exit %d, want 1: %s", code, said.String())
	}
	if document, err := report.Read(filepath.Join(out, "results.json")); err != nil || !document.Complete {
		t.Errorf("the report is not whole: %v", err)
	}
}

func TestTheCommandIsKeptWithoutThePasswordOfItsRedis(t *testing.T) {
	t.Parallel()
	redistest.Require(t)
	out := filepath.Join(t.TempDir(), "report")
	// The last of a repeated flag counts, so that nothing is asked of the first address.
	if got := run(t, nil, "-redis", "redis://:hunter2@127.0.0.1:1/0", "-redis", "auto", "-scenario", "S9", "-policy", "P7", "-duration", "1s", "-out", out); got.code != 0 {
		t.Fatalf("%+v", got)
	}
	for _, name := range []string{"results.json", "report.html"} {
		text, err := os.ReadFile(filepath.Join(out, name))
		if err != nil || bytes.Contains(text, []byte("hunter2")) || !bytes.Contains(text, []byte("127.0.0.1:1")) {
			t.Errorf("%s: %v, or it holds the password, or not the address", name, err)
		}
	}
}
