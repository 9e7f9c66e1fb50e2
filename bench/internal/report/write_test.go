package report_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/cacheaside/resilience/bench/internal/report"
	"github.com/cacheaside/resilience/bench/internal/report/sample"
	"github.com/cacheaside/resilience/bench/internal/result"
)

// contents gives the files below a folder by their paths.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		files[filepath.ToSlash(name)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestAReportIsOnePageTheDataAndADrawingForEachPlot(t *testing.T) {
	t.Parallel()
	document := sample.Document()
	dir, _ := written(t, document)
	files := contents(t, dir)
	wanted := map[string]bool{"report.html": true, "results.json": true}
	for _, s := range document.Scenarios {
		for _, p := range s.Plots {
			wanted["plots/"+p.ID+".svg"] = true
		}
	}
	for _, m := range document.Maps {
		wanted["plots/"+m.ID+".svg"] = true
	}
	for name := range wanted {
		if files[name] == "" {
			t.Errorf("%s is missing or empty", name)
		}
	}
	if len(files) != len(wanted) {
		t.Errorf("%d files were written, want %d", len(files), len(wanted))
	}
	var back result.Document
	if err := json.Unmarshal([]byte(files["results.json"]), &back); err != nil || !reflect.DeepEqual(&back, document) {
		t.Errorf("results.json is not the document: %v", err)
	}
}

func TestTheSameDocumentGivesTheSameFiles(t *testing.T) {
	t.Parallel()
	first, _ := written(t, sample.Document())
	second, _ := written(t, sample.Document())
	if !reflect.DeepEqual(contents(t, first), contents(t, second)) {
		t.Error("two reports on one document differ")
	}
}

func TestNumbersThatAreNotFiniteDoNotStopAReport(t *testing.T) {
	t.Parallel()
	document := sample.Document()
	nan := math.NaN()
	run := &document.Scenarios[0].Runs[0]
	run.Goodput, run.HitRatio, run.RecoverySeconds, run.Latency.P99, document.Seconds = nan, math.Inf(1), nan, math.Inf(-1), nan
	document.Scenarios[0].Plots[0].Lines[0].Data[1].Y = nan
	document.Maps[0].Panels[0].Black = math.Inf(1)
	dir, page := written(t, document)
	page.sound(t)
	files := contents(t, dir)
	if !json.Valid([]byte(files["results.json"])) || !strings.Contains(files["results.json"], `"goodput": null`) {
		t.Error("results.json is not JSON with a null for what is no number")
	}
}

func TestAFailureLeavesTheOlderReportWhole(t *testing.T) {
	t.Parallel()
	dir, _ := written(t, sample.Document())
	if err := os.RemoveAll(filepath.Join(dir, "plots")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "plots"), []byte("in the way"), 0o600); err != nil {
		t.Fatal(err)
	}
	before := contents(t, dir)
	document := sample.Document()
	document.Command = "another"
	if err := report.Write(dir, document); err == nil || !strings.HasPrefix(err.Error(), "report: ") {
		t.Errorf("got error %v, want one of the report", err)
	}
	if !reflect.DeepEqual(contents(t, dir), before) {
		t.Error("the failure changed files or left some behind")
	}
}

func TestAReportTakesThePlaceOfAnOlderOne(t *testing.T) {
	t.Parallel()
	dir, _ := written(t, sample.Document())
	document := sample.Document()
	document.Command = "the second time"
	if err := report.Write(dir, document); err != nil {
		t.Fatal(err)
	}
	files := contents(t, dir)
	if !strings.Contains(files["report.html"], "the second time") || !strings.Contains(files["results.json"], "the second time") {
		t.Error("the older report is still there")
	}
	for name := range files {
		if strings.Contains(name, ".new-") {
			t.Errorf("%s was left behind", name)
		}
	}
}

func TestNamesOfPlotsBecomeFilesInsideTheFolderAlone(t *testing.T) {
	t.Parallel()
	document := &result.Document{Scenarios: []result.Scenario{{}}}
	for _, id := range []string{"../../escape", "/etc/passwd", "a b", "A B", "", "..", strings.Repeat("x", 300), "\x00", "CON/../x", "ok.svg"} {
		document.Scenarios[0].Plots = append(document.Scenarios[0].Plots, result.Plot{ID: id})
	}
	parent := t.TempDir()
	if err := report.Write(filepath.Join(parent, "inner"), document); err != nil {
		t.Fatal(err)
	}
	plots := 0
	for name := range contents(t, parent) {
		if !strings.HasPrefix(name, "inner/") || strings.Count(name, "/") > 2 {
			t.Errorf("%s was written outside of its folder", name)
		}
		if strings.HasSuffix(name, ".svg") {
			plots++
		}
	}
	if plots != len(document.Scenarios[0].Plots) {
		t.Errorf("%d drawings for %d plots", plots, len(document.Scenarios[0].Plots))
	}
}

func TestNothingIsRefused(t *testing.T) {
	t.Parallel()
	if err := report.Write(t.TempDir(), nil); err == nil || !strings.Contains(err.Error(), "document is nil") {
		t.Errorf("got %v", err)
	}
	if err := report.Table(&bytes.Buffer{}, nil); err == nil || !strings.Contains(err.Error(), "document is nil") {
		t.Errorf("got %v", err)
	}
}

func BenchmarkWriteAReportOfFortyPlots(b *testing.B) {
	document := sample.Document()
	for range 2 {
		document.Scenarios = append(document.Scenarios, document.Scenarios...)
	}
	dir := b.TempDir()
	for b.Loop() {
		if err := report.Write(dir, document); err != nil {
			b.Fatal(err)
		}
	}
}
