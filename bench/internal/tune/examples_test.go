package tune_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/cacheaside/resilience/bench/internal/result"
	"github.com/cacheaside/resilience/bench/internal/tune"
)

// promise is what the head of an example says to look for.
type promise struct {
	file    string
	least   float64 // goodput of the user's own region in any second
	healed  int     // from this second of the run on goodput is full
	loads   int     // at once
	other   string  // who is compared
	otherAt float64 // and falls below this
	heaps   int     // and has more loads than this at the source
	never   bool    // and never recovers
}

func TestEachExampleKeepsWhatItsOwnCommentPromises(t *testing.T) {
	t.Parallel()
	for _, p := range []promise{
		{file: "strict", least: 0.98, healed: 47, loads: 8, other: "P0", otherAt: 0.8},
		{file: "balanced", least: 0.98, healed: 22, loads: 16, other: "P2", otherAt: 0.95, heaps: 200},
		{file: "survive", least: 0.75, healed: 12, loads: 16, other: "P0", otherAt: 0.8, heaps: 2000, never: true},
	} {
		t.Run(p.file, func(t *testing.T) {
			t.Parallel()
			config, err := tune.Read("../../configs/" + p.file + ".toml")
			if err != nil {
				t.Fatal(err)
			}
			runs := runAll(t, config)
			if len(runs) != 2 || runs[0].Contender != tune.Mine || runs[1].Contender != p.other {
				t.Fatalf("%d runs", len(runs))
			}
			p.ofMine(t, runs[0])
			p.ofTheOther(t, runs[1])
			for _, c := range config.Conclude(runs).Checks {
				if c.Verdict == result.Fail {
					t.Errorf("%s: %s is %s, must be %s", c.Contender, c.What, c.Measured, c.Bound)
				}
			}
		})
	}
}

func (p promise) ofMine(t *testing.T, run result.Run) {
	for n, second := range run.Seconds {
		if second.Goodput() < p.least || n >= p.healed && second.Goodput() < 0.99 {
			t.Errorf("goodput in second %d is %.4f", n, second.Goodput())
		}
	}
	if run.SourceOutstanding > p.loads {
		t.Errorf("%d loads at once", run.SourceOutstanding)
	}
}

func (p promise) ofTheOther(t *testing.T, run result.Run) {
	worst := 1.0
	for _, second := range run.Seconds {
		worst = min(worst, second.Goodput())
	}
	if worst >= p.otherAt || run.SourceOutstanding <= p.heaps || p.never != (run.RecoverySeconds < 0) {
		t.Errorf("%s: goodput %.3f at worst, %d loads at the source, recovers after %v s", run.Contender, worst, run.SourceOutstanding, run.RecoverySeconds)
	}
}

// An example is where a reader learns what there is.
func TestEachExampleNamesEveryFieldAndCommentsOnIt(t *testing.T) {
	t.Parallel()
	head, assignment := regexp.MustCompile(`^\[([a-z_.]+)\]$`), regexp.MustCompile(`^([a-z_]+) *= *\S.*# \S`)
	for _, name := range []string{"strict", "balanced", "survive"} {
		text, err := os.ReadFile("../../configs/" + name + ".toml")
		if err != nil {
			t.Fatal(err)
		}
		section, commented := "", make(map[string]bool)
		for _, line := range strings.Split(string(text), "\n") {
			if m := head.FindStringSubmatch(line); m != nil {
				section = m[1]
			}
			if m := assignment.FindStringSubmatch(line); m != nil {
				commented[section+"."+m[1]] = true
			}
		}
		for _, p := range parsed(t, "").Conclude(nil).Parameters {
			if !commented[p.Name] {
				t.Errorf("%s.toml has no commented %s", name, p.Name)
			}
		}
		if !strings.Contains(string(text), "preset = \""+name+"\"") {
			t.Errorf("%s.toml is of another preset", name)
		}
	}
}
