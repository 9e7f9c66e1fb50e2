package report_test

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/cacheaside/resilience/bench/internal/report"
	"github.com/cacheaside/resilience/bench/internal/report/sample"
	"github.com/cacheaside/resilience/bench/internal/result"
)

func tabled(t *testing.T, doc *result.Document) string {
	t.Helper()
	var out bytes.Buffer
	if err := report.Table(&out, doc); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(out.String()) {
		if width := utf8.RuneCountInString(strings.TrimRight(line, "\n")); width > 140 {
			t.Errorf("a line has %d columns: %s", width, line)
		}
	}
	if strings.ContainsAny(out.String(), "\x1b\x00") {
		t.Error("what is not a terminal is sent control characters")
	}
	return out.String()
}

func TestTablesSayWhatTheRunsGaveAndWhichChecksFailed(t *testing.T) {
	t.Parallel()
	text := tabled(t, sample.Document())
	for _, wanted := range []string{
		"S4 · The source slows down tenfold (sim)", "goodput", "recovery", "P0 plain", "2 retries", "never", "314 016", "1.51 s", "FAIL     P6", "pass     P7",
		"shown    P0", "FAIL  S4 P6 2 retries recovered after the trigger's end: 1.4 s, must be <= 1 s", "41.7%", "6 of 7 checks passed, 1 FAILED",
	} {
		if !strings.Contains(text, wanted) {
			t.Errorf("the tables do not say %q", wanted)
		}
	}
	if strings.Contains(text, "INCOMPLETE") {
		t.Error("a complete run is called incomplete")
	}
}

func TestTablesFitWhateverTheDocument(t *testing.T) {
	t.Parallel()
	wide := sample.Document()
	wide.Complete = false
	long := strings.Repeat("<script>\x1b[31m wide 広い ", 20)
	for i := range wide.Scenarios {
		s := &wide.Scenarios[i]
		s.Title = long
		for j := range s.Runs {
			r := &s.Runs[j]
			r.Contender, r.Name, r.Variant = strings.Repeat("x", 64), long, long
			r.SourceCalls, r.SourceOutstanding, r.Violations, r.Attempts = math.MaxInt64, math.MaxInt64, math.MinInt64, 1
			r.Endings = map[string]int64{"rejected": math.MaxInt64, "stale": math.MaxInt64}
			r.Latency = result.Latency{Count: 1, P50: 1e300, P99: math.NaN(), Max: 999_999_999_999}
			r.Goodput, r.HitRatio, r.RecoverySeconds = 1e300, math.Inf(1), 123_456_789
		}
		for j := range s.Checks {
			c := &s.Checks[j]
			c.Contender, c.Variant, c.What, c.Bound, c.Measured = long, long, long, long, strings.Repeat("9", 64)
		}
	}
	wide.Maps[0].Title, wide.Maps[0].Panels[0].Name = long, long
	if text := tabled(t, wide); !strings.Contains(text, "INCOMPLETE") || !strings.Contains(text, "FAIL") {
		t.Error("the tables do not say that the run is incomplete and a check failed")
	}
}

func TestAnEmptyDocumentHasNoTables(t *testing.T) {
	t.Parallel()
	text := tabled(t, &result.Document{Complete: true, Scenarios: []result.Scenario{{ID: "S1", Title: "nothing yet"}}})
	if !strings.Contains(text, "S1 · nothing yet") || !strings.Contains(text, "No checks were judged.") || strings.Contains(text, "contender") {
		t.Errorf("got %q", text)
	}
}

var errFull = errors.New("full")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestAWriterThatFailsIsReported(t *testing.T) {
	t.Parallel()
	if err := report.Table(full{}, sample.Document()); !errors.Is(err, errFull) {
		t.Errorf("got %v", err)
	}
}

func TestAScenarioWithoutRunsSaysWhy(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	document := &result.Document{Complete: true, Scenarios: []result.Scenario{{ID: "S7", Title: "Outage", Notes: []string{"Not on a server that is not ours."}}}}
	if err := report.Table(&out, document); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "not ours") {
		t.Errorf("%s", out.String())
	}
}
