package report

import (
	"fmt"
	"strings"

	"github.com/cacheaside/resilience/bench/internal/result"
)

// tally counts checks by their verdicts.
type tally struct{ pass, fail, shown, unknown int }

func (t *tally) add(v result.Verdict) {
	switch v {
	case result.Pass:
		t.pass++
	case result.Fail:
		t.fail++
	case result.Shown:
		t.shown++
	default:
		t.unknown++
	}
}

// class is the name of the worst there is.
func (t tally) class() string {
	switch {
	case t.fail > 0:
		return "fail"
	case t.unknown > 0:
		return "unknown"
	case t.pass > 0:
		return "pass"
	case t.shown > 0:
		return "shown"
	default:
		return ""
	}
}

// String gives the verdicts in words, the worst first.
func (t tally) String() string {
	var parts []string
	for _, p := range []struct {
		n    int
		word string
	}{{t.fail, "FAIL"}, {t.unknown, "unknown"}, {t.pass, "pass"}, {t.shown, "shown"}} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", p.word, p.n))
		}
	}
	return strings.Join(parts, ", ")
}

// sentence gives the verdicts of a whole document.
func (t tally) sentence() string {
	judged := t.pass + t.fail + t.unknown
	text := fmt.Sprintf("%d of %d checks passed", t.pass, judged)
	switch {
	case judged == 0:
		text = "No checks were judged"
	case t.fail > 0:
		text += fmt.Sprintf(", %d FAILED", t.fail)
	}
	if t.unknown > 0 {
		text += fmt.Sprintf(", %d of an unknown verdict", t.unknown)
	}
	if t.shown > 0 {
		text += fmt.Sprintf("; %d more figures are shown without a bound", t.shown)
	}
	return text + "."
}

func tallyOf(doc *result.Document) tally {
	var t tally
	for _, s := range doc.Scenarios {
		for _, c := range s.Checks {
			t.add(c.Verdict)
		}
	}
	return t
}

// verdictWord is a verdict in a table: a failure stands out without colour.
func verdictWord(v result.Verdict) (word, class string) {
	var t tally
	t.add(v)
	class = t.class()
	if class == "fail" {
		return "FAIL", class
	}
	return class, class
}
