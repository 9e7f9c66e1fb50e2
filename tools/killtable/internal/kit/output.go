package kit

import (
	"cmp"
	"regexp"
	"strings"
)

var (
	startLine   = regexp.MustCompile(`^=== (?:RUN|CONT|NAME|PAUSE)\s+(\S+)`)
	verdictLine = regexp.MustCompile(`^\s*--- (PASS|FAIL|SKIP): (\S+) \(`)
	toldLine    = regexp.MustCompile(`^\s+(\S+\.go:\d+: .*)`)
	panicLine   = regexp.MustCompile(`^(panic: .*|fatal error: .*)`)
	hungLine    = regexp.MustCompile(`test timed out after|deadlock: |all goroutines are asleep`)
)

// transcript is what a test binary printed under -test.v, taken apart.
type transcript struct {
	verdicts map[string]string   // PASS, FAIL, SKIP, by test
	told     map[string][]string // lines with a place in the code, by the test that printed them
	order    []string            // tests that told something, in the order of their first line
	panicked string              // the line of the first panic
}

func parse(output string) transcript {
	t := transcript{verdicts: map[string]string{}, told: map[string][]string{}}
	current := ""
	for line := range strings.Lines(output) {
		line = strings.TrimRight(line, "\n")
		if m := startLine.FindStringSubmatch(line); m != nil {
			current = m[1]
		} else if m := verdictLine.FindStringSubmatch(line); m != nil {
			t.verdicts[m[2]] = m[1]
		} else if m := panicLine.FindStringSubmatch(line); m != nil && t.panicked == "" {
			t.panicked = m[1]
		} else if m := toldLine.FindStringSubmatch(line); m != nil && t.panicked == "" {
			if t.told[current] == nil {
				t.order = append(t.order, current)
			}
			t.told[current] = append(t.told[current], m[1])
		}
	}
	return t
}

// outcome tells what became of a top-level test. A panic ends all tests of the process, whoever's it was.
func (t transcript) outcome(test string, succeeded bool) Outcome {
	o := Outcome{Test: test}
	switch verdict := t.verdicts[test]; {
	case t.panicked != "" && hungLine.MatchString(t.panicked):
		// An assertion that fails may leave goroutines waiting for each other, which a bubble of synctest reports as a deadlock on top.
		o.Ending, o.Line = Hung, cmp.Or(t.firstLine(test, "FAIL"), t.panicked)
	case t.panicked != "":
		o.Ending, o.Line = Panicked, t.panicked
	case verdict == "SKIP":
		o.Ending, o.Line = Skipped, t.firstLine(test, "SKIP")
	case verdict == "FAIL":
		o.Ending, o.Line = Died, "failed without a word"
		if line := t.firstLine(test, "FAIL"); line != "" {
			o.Ending, o.Line = Asserted, line
		}
	case verdict == "PASS" && (succeeded || t.explained()):
		o.Ending = Passed
	case verdict == "":
		o.Ending = Missing
	default:
		o.Ending, o.Line = Died, "the tests passed and the process failed"
	}
	return o
}

// explained tells whether a failed test explains why the process failed.
func (t transcript) explained() bool {
	for _, verdict := range t.verdicts {
		if verdict == "FAIL" {
			return true
		}
	}
	return false
}

// firstLine is the first line that the test told, or the first part of it that ended in the same way. A part comes before the whole, which may
// have told how it began.
func (t transcript) firstLine(test, verdict string) string {
	line := ""
	for _, teller := range t.order {
		inside := strings.HasPrefix(teller, test+"/")
		if (teller != test && !inside) || t.verdicts[teller] != verdict {
			continue
		}
		if inside {
			return t.told[teller][0]
		}
		line = t.told[teller][0]
	}
	return line
}
