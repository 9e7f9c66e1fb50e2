package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/cacheaside/resilience/internal/redistest"
)

const scripts = "../../redisadapter"

func TestEveryLineThatDecidesIsBrokenAndEveryPatternStandsThereOnce(t *testing.T) {
	t.Parallel()
	for _, s := range subjects() {
		source, err := readScript(scripts, s.file)
		if err != nil {
			t.Fatal(err)
		}
		for _, fault := range s.untouched(source) {
			t.Error(fault)
		}
		seen := map[string]bool{}
		for _, m := range s.ways(source) {
			broken, err := m.apply(source)
			if err != nil {
				t.Errorf("%s, %s: %v", s.file, m.breaks, err)
			} else if seen[broken] {
				t.Errorf("%s, %s: the same mutant as another", s.file, m.breaks)
			}
			seen[broken] = true
		}
	}
}

func TestAPatternThatDoesNotStandThereExactlyOnceIsAnError(t *testing.T) {
	t.Parallel()
	for _, m := range []mutant{{"return 2", "return 0", ""}, {"return", "x", ""}, {"return 1", "return 1", ""}} {
		if got, err := m.apply("if a then\n  return 0\nend\nreturn 1\n"); err == nil {
			t.Errorf("%q => %q gives %q", m.text, m.instead, got)
		}
	}
}

func TestAMutantTouchesTheLinesInWhichItDiffersAlone(t *testing.T) {
	t.Parallel()
	const source = "if a then\n  return 0\nend\nreturn 1\n"
	for _, row := range []struct {
		text, instead string
		want          []int
	}{
		{"if a then", "if not a then", []int{1}},
		{"if a then\n  return 0", "if a then\n  return 1", []int{2}},
		{"  return 0\n", "", []int{2}},
		{"end\nreturn 1", "end\nreturn 0", []int{4}},
		{"  return 0\nend", "  return 1\nend return", []int{2, 3}},
		{"return", "leave", nil},
	} {
		if got := (mutant{row.text, row.instead, ""}).lines(source); !slices.Equal(got, row.want) {
			t.Errorf("%q => %q touches %v, want %v", row.text, row.instead, got, row.want)
		}
	}
}

func TestALineThatNoMutantTouchesIsNamed(t *testing.T) {
	t.Parallel()
	s := subject{file: "f.lua", mutants: []mutant{{"return 1", "return 0", ""}}}
	got := s.untouched("-- if it were code\nif a then\n  return 0\nend\nlocal b = redis.pcall('GET', KEYS[1])\nreturn 1\n")
	want := []string{`f.lua:2: no mutant touches "if a then"`, `f.lua:3: no mutant touches "return 0"`, `f.lua:5: no mutant touches "local b = redis.pcall('GET', KEYS[1])"`}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

func TestTheDigestsAreOfTheOneSizeThatIsCompared(t *testing.T) {
	t.Parallel()
	if len(seenDigest) != 32 || len(otherDigest) != 32 || seenDigest == otherDigest {
		t.Errorf("%d and %d bytes", len(seenDigest), len(otherDigest))
	}
}

func TestTheScriptsKeepEveryPromiseAndNoMutantDoes(t *testing.T) {
	redistest.Require(t)
	var out bytes.Buffer
	faults, err := check(t.Context(), scripts, true, &out)
	if err != nil || len(faults) > 0 {
		t.Fatalf("faults %q, error %v", faults, err)
	}
	if !strings.Contains(out.String(), "tombstone.lua:[6]") {
		t.Errorf("printed:\n%s", out.String())
	}
}

func TestAMutantThatSurvivesOrDoesNotCompileAndAScriptThatBreaksItsPromiseAreFaults(t *testing.T) {
	server := redistest.Start(t, redistest.Options{Users: users()})
	b := newBench(server.Addr())
	t.Cleanup(b.close)
	const source = "return 1 -- always\n"
	for name, row := range map[string]struct {
		mutants []mutant
		code    int64
		want    string // in the one fault there must be; "" for none
	}{
		"noticed":          {[]mutant{{"return 1", "return 2", "counts on"}}, 1, ""},
		"survives":         {[]mutant{{"return 1", "return 2", "counts on"}, {"always", "never", "says otherwise"}}, 1, "[1] survives: says otherwise"},
		"does not compile": {[]mutant{{"return 1", "return 2", "counts on"}, {"return 1 ", "return if ", "babbles"}}, 1, "babbles: ERR Error compiling script"},
		"stands nowhere":   {[]mutant{{"return 1", "return 2", "counts on"}, {"return 7", "return 2", "misses"}}, 1, "misses: \"return 7\" stands there 0 times"},
		"touches nothing":  {nil, 1, "no mutant touches"},
		"broken":           {[]mutant{{"return 1", "return 2", "counts on"}}, 3, "f.lua itself, p: it returned 1, not 3"},
	} {
		s := subject{file: "f.lua", keys: 1, cases: []promise{{name: "p", code: row.code}}, mutants: row.mutants}
		_, faults, err := b.try(t.Context(), s, source, func(string) string { return "" })
		if err != nil {
			t.Fatal(err)
		}
		if row.want == "" && len(faults) != 0 || row.want != "" && (len(faults) != 1 || !strings.Contains(faults[0], row.want)) {
			t.Errorf("%s: faults %q", name, faults)
		}
	}
}
