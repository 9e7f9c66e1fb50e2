package report_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cacheaside/resilience/bench/internal/report/sample"
	"github.com/cacheaside/resilience/bench/internal/result"
)

func TestThePageNeedsNothingElse(t *testing.T) {
	t.Parallel()
	dir, page := written(t, sample.Document())
	page.sound(t)
	text, err := os.ReadFile(filepath.Join(dir, "report.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, reference := range []string{"http://", "https://", "src=", "url(", "@import", "javascript:"} {
		if strings.Contains(string(text), reference) {
			t.Errorf("the page has %q in it", reference)
		}
	}
	if !strings.Contains(string(text), "default-src 'none'") {
		t.Error("the page does not forbid itself to load anything")
	}
}

func TestThePageTellsAllOfTheDocument(t *testing.T) {
	t.Parallel()
	document := sample.Document()
	_, page := written(t, document)
	wanted := append([]string{document.Command, document.Started, document.Machine.CPU, "otter v2.2.1", "6 of 7 checks passed, 1 FAILED"}, document.Limits...)
	for _, s := range document.Scenarios {
		wanted = append(append(wanted, s.Question, s.Title), s.Notes...)
		for _, p := range s.Plots {
			wanted = append(wanted, p.Caption)
		}
		for _, p := range s.Parameters {
			wanted = append(wanted, p.Name, p.Value)
		}
		for _, c := range s.Checks {
			wanted = append(wanted, c.What, c.Bound, c.Measured)
		}
		for _, r := range s.Runs {
			wanted = append(wanted, r.Name, r.Variant)
		}
	}
	for _, table := range document.Tables {
		wanted = append(append(wanted, table.Title, table.Note), slices.Concat(append(table.Rows, table.Columns)...)...)
	}
	for _, m := range document.Maps {
		wanted = append(wanted, m.Title, m.Caption, "41.7%")
	}
	for _, text := range wanted {
		if !strings.Contains(page.text, text) {
			t.Errorf("the page does not say %q", text)
		}
	}
	if drawn := page.elements["svg"]; drawn != 9 {
		t.Errorf("%d drawings, want 8 plots and a map", drawn)
	}
	if strings.Contains(page.text, "Incomplete") {
		t.Error("a complete run is called incomplete")
	}
}

func TestVerdictsAreWordsAndNotColoursAlone(t *testing.T) {
	t.Parallel()
	_, page := written(t, sample.Document())
	// The failure stands among the failed checks, in the matrix and with its scenario.
	if page.classes["fail"] != 3 {
		t.Errorf("%d cells are marked as failed, want 3", page.classes["fail"])
	}
	for _, word := range []string{"FAIL 1", "pass 2", "shown 1", "Failed checks", "calls per expiry: 4"} {
		if !strings.Contains(page.text, word) {
			t.Errorf("the page does not say %q", word)
		}
	}
	document := sample.Document()
	document.Scenarios[1].Checks[1].Verdict = "perhaps"
	_, page = written(t, document)
	if page.classes["fail"] != 0 || strings.Contains(page.text, "Failed checks") || !strings.Contains(page.text, "unknown 1") {
		t.Error("an unknown verdict is not shown as that")
	}
}

func TestARecoveryThatNeverCameIsCalledNever(t *testing.T) {
	t.Parallel()
	run := result.Run{Contender: "P0", RecoverySeconds: -1}
	_, page := written(t, &result.Document{Scenarios: []result.Scenario{{ID: "S4", Runs: []result.Run{run}}}})
	if !strings.Contains(page.text, "never") {
		t.Error("the page does not say never")
	}
	run.RecoverySeconds = 10
	_, page = written(t, &result.Document{Scenarios: []result.Scenario{{ID: "S4", Runs: []result.Run{run}}}})
	if strings.Contains(page.text, "never") || !strings.Contains(page.text, "10 s") {
		t.Error("the page does not say 10 s")
	}
}

func TestAPageIsSoundWhateverTheDocument(t *testing.T) {
	t.Parallel()
	evil := fmt.Sprintf("%-64.64s", `</style><script>alert("1")</script><a href='x'>`+"\x00\x1b")
	same := result.Scenario{
		ID: "checks", Title: evil, Question: evil, Mode: evil, Notes: []string{evil}, Parameters: []result.Parameter{{Name: evil, Value: evil}},
		Runs:   []result.Run{{Contender: evil, Name: evil, Variant: evil, Endings: map[string]int64{evil: 1 << 62}, Reasons: map[string]int64{evil: -1}}},
		Checks: []result.Check{{Contender: evil, What: evil, Bound: evil, Measured: evil, Verdict: result.Verdict(evil)}},
		Plots:  []result.Plot{{ID: evil, Title: evil, Caption: evil, Lines: []result.Line{{Name: evil, Contender: evil}}}},
	}
	for name, doc := range map[string]*result.Document{
		"empty":                   {},
		"interrupted":             {Scenarios: []result.Scenario{{ID: "S1", Runs: []result.Run{{Contender: "P0", Interrupted: true}}}}},
		"runs of no seconds":      {Complete: true, Scenarios: []result.Scenario{{ID: "S1", Runs: []result.Run{{}, {Contender: "P1", Goodput: 1}}}}},
		"scenarios of one name":   {Scenarios: []result.Scenario{same, same, {ID: "checks-checks"}, {}, {}, {ID: "Summary"}}},
		"tables of uneven rows":   {Tables: []result.Table{{Title: "t", Columns: []string{"a"}, Rows: [][]string{{"1", "2"}, {}}}, {}}},
		"maps without panels":     {Maps: []result.Map{{}, {ID: evil, Title: evil, Caption: evil, Panels: []result.MapPanel{{Contender: evil, Name: evil}}}}},
		"words that are mark-up":  {Command: evil, Started: evil, Machine: result.Machine{CPU: evil}, Versions: map[string]string{evil: evil}, Limits: []string{evil}},
		"a duration out of range": {Seconds: 1e308, Scenarios: []result.Scenario{{Runs: []result.Run{{SourceCalls: 1 << 62, RecoverySeconds: 1e300}}}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, page := written(t, doc)
			page.sound(t)
			if incomplete := strings.Contains(page.text, "Incomplete."); incomplete == doc.Complete {
				t.Errorf("complete: %v, but the notice is there: %v", doc.Complete, incomplete)
			}
			if strings.ContainsAny(page.text, "\x00\x1b") {
				t.Error("a control character came through")
			}
		})
	}
}

func TestARunThatWasInterruptedSaysSo(t *testing.T) {
	t.Parallel()
	run := result.Run{Contender: "P0", Variant: "2 retries", Interrupted: true}
	_, page := written(t, &result.Document{Complete: true, Scenarios: []result.Scenario{{ID: "S1", Runs: []result.Run{run}}}})
	if !strings.Contains(page.text, "2 retries (interrupted)") {
		t.Error("the run is not marked")
	}
}
