package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const goodDocument = "# Evidence\n\nProse | with | pipes.\n\n" +
	"| no. | promise | tests |\n| --- | --- | --- |\n" +
	"| 1 | a hit is a hit | `cacheaside.TestHit` `redisadapter.TestHit/fresh` |\n" +
	"| 2 | the root holds | `resilience.TestArrows` |\n\n" +
	"| C81 | truncated bytes | `redisadapter.TestC81_Truncated` |\n"

const goodStream = `{"Action":"pass","Package":"github.com/cacheaside/resilience/cacheaside","Test":"TestHit"}
{"Action":"pass","Package":"github.com/cacheaside/resilience/redisadapter","Test":"TestHit/fresh"}
{"Action":"pass","Package":"github.com/cacheaside/resilience","Test":"TestArrows"}
{"Action":"pass","Package":"github.com/cacheaside/resilience/redisadapter","Test":"TestC81_Truncated"}
{"Action":"pass","Package":"github.com/cacheaside/resilience/redisadapter"}
`

func TestEveryFaultIsReported(t *testing.T) {
	t.Parallel()
	hit := `{"Action":"pass","Package":"github.com/cacheaside/resilience/cacheaside","Test":"TestHit"}`
	tests := map[string]struct {
		doc, stream string
		want        []string
	}{
		"all good":          {goodDocument, goodStream, nil},
		"no rows":           {"# Evidence\n", goodStream, []string{"the document has no rows"}},
		"a row without one": {goodDocument + "| 3 | x | none |\n", goodStream, []string{"row 3: no test is named"}},
		"a number twice": {
			goodDocument + "| 2 | x | `cacheaside.TestHit` |\n", goodStream,
			[]string{"row 2: the number is used twice"},
		},
		"a test gone": {
			goodDocument, strings.Replace(goodStream, hit, "", 1),
			[]string{"row 1: cacheaside.TestHit did not run"},
		},
		"a test skipped": {
			goodDocument, strings.Replace(goodStream, hit, strings.Replace(hit, `"pass"`, `"skip"`, 1), 1),
			[]string{"row 1: cacheaside.TestHit was skipped"},
		},
		"a test skipped in one run and passed in another": {
			goodDocument, goodStream + strings.Replace(hit, `"pass"`, `"skip"`, 1), nil,
		},
		"a test failed in one run and passed in another": {
			goodDocument, goodStream + strings.Replace(hit, `"pass"`, `"fail"`, 1),
			[]string{"row 1: cacheaside.TestHit failed"},
		},
		"a case shown by a test of another name": {
			goodDocument + "| C85 | x | `cacheaside.TestHit` |\n", goodStream,
			[]string{"row C85: cacheaside.TestHit does not bear the number"},
		},
		"a case number that is only the beginning of another": {
			goodDocument + "| C8 | x | `redisadapter.TestC81_Truncated` |\n", goodStream,
			[]string{"row C8: redisadapter.TestC81_Truncated does not bear the number"},
		},
		"a test of two cases": {
			goodDocument + "| C75 | x | `redisadapter.TestC75_C77_Retyped` |\n| C77 | x | `redisadapter.TestC75_C77_Retyped` |\n",
			goodStream + `{"Action":"pass","Package":"github.com/cacheaside/resilience/redisadapter","Test":"TestC75_C77_Retyped"}`,
			nil,
		},
		"a test of two cases with a row for one": {
			goodDocument + "| C75 | x | `redisadapter.TestC75_C77_Retyped` |\n",
			goodStream + `{"Action":"pass","Package":"github.com/cacheaside/resilience/redisadapter","Test":"TestC75_C77_Retyped"}`,
			[]string{"redisadapter.TestC75_C77_Retyped bears the number C77, which no row has"},
		},
		"a case test without a row": {
			goodDocument, goodStream + `{"Action":"pass","Package":"github.com/cacheaside/resilience/jitter","Test":"TestC38_Band"}`,
			[]string{"jitter.TestC38_Band bears the number C38, which no row has"},
		},
		"a failed build": {
			goodDocument, `{"Action":"fail","Package":"github.com/cacheaside/resilience/cacheaside"}`,
			[]string{
				"row 1: cacheaside.TestHit did not run", "row 1: redisadapter.TestHit/fresh did not run",
				"row 2: resilience.TestArrows did not run", "row C81: redisadapter.TestC81_Truncated did not run",
			},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			doc, stream := write(t, dir, "evidence.md", test.doc), write(t, dir, "run.json", test.stream)
			got, err := check(doc, []string{stream}, &bytes.Buffer{})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("faults = %q, want %q", got, test.want)
			}
		})
	}
}

func TestAGoodRunIsCounted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	doc, stream := write(t, dir, "evidence.md", goodDocument), write(t, dir, "run.json", goodStream)
	var out bytes.Buffer
	if _, err := check(doc, []string{stream}, &out); err != nil {
		t.Fatal(err)
	}
	if want := "evidence: 3 rows, 4 tests named, all ran and passed\n"; out.String() != want {
		t.Errorf("printed %q, want %q", out.String(), want)
	}
}

func TestAMissingFileIsAnError(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	doc := write(t, dir, "evidence.md", goodDocument)
	if _, err := check(doc, []string{filepath.Join(dir, "none.json")}, &bytes.Buffer{}); err == nil {
		t.Error("no error for a missing stream")
	}
	if _, err := check(filepath.Join(dir, "none.md"), nil, &bytes.Buffer{}); err == nil {
		t.Error("no error for a missing document")
	}
}

func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
