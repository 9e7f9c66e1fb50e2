package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const stream = `{"Action":"start","Package":"m/a"}
{"Action":"run","Package":"m/a","Test":"TestGood"}
{"Action":"output","Package":"m/a","Test":"TestGood","Output":"=== RUN   TestGood\n"}
{"Action":"output","Package":"m/a","Test":"TestGood","Output":"chatter of a test that passed\n"}
{"Action":"pass","Package":"m/a","Test":"TestGood"}
{"Action":"output","Package":"m/a","Test":"TestSkipped","Output":"    a_test.go:7: no server here\n"}
{"Action":"output","Package":"m/a","Test":"TestSkipped","Output":"--- SKIP: TestSkipped (0.00s)\n"}
{"Action":"skip","Package":"m/a","Test":"TestSkipped"}
{"Action":"output","Package":"m/a","Test":"TestGroup/one","Output":"    a_test.go:8: not here\n"}
{"Action":"skip","Package":"m/a","Test":"TestGroup/one"}
{"Action":"skip","Package":"m/a","Test":"TestGroup/two"}
{"Action":"output","Package":"m/a","Output":"-test.shuffle 1\n"}
{"Action":"output","Package":"m/a","Output":"PASS\n"}
{"Action":"output","Package":"m/a","Output":"ok  \tm/a\t0.1s\n"}
{"Action":"pass","Package":"m/a"}
{"Action":"output","Package":"m/b","Test":"TestBad","Output":"    b_test.go:9: got 1, want 2\n"}
{"Action":"output","Package":"m/b","Test":"TestBad","Output":"--- FAIL: TestBad (0.00s)\n"}
{"Action":"fail","Package":"m/b","Test":"TestBad"}
{"Action":"output","Package":"m/b","Test":"TestCut","Output":"the last words before a crash\n"}
{"Action":"output","Package":"m/b","Output":"-test.shuffle 2\n"}
{"Action":"output","Package":"m/b","Output":"FAIL\n"}
{"Action":"output","Package":"m/b","Output":"FAIL\tm/b\t0.1s\n"}
{"Action":"fail","Package":"m/b"}
b.go:1:1: a compiler's line
`

func TestRenderShowsVerdictsAndWhatFailed(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if err := render(strings.NewReader(stream), &out); err != nil {
		t.Fatal(err)
	}
	want := `ok  	m/a	0.1s
    b_test.go:9: got 1, want 2
--- FAIL: TestBad (0.00s)
the last words before a crash
-test.shuffle 2
FAIL
FAIL	m/b	0.1s
b.go:1:1: a compiler's line
--- SKIP: m/a TestSkipped: a_test.go:7: no server here
--- SKIP: m/a TestGroup, 2 subtests, the first: a_test.go:8: not here
`
	if out.String() != want {
		t.Errorf("rendered:\n%s\nwant:\n%s", out.String(), want)
	}
}

func TestRunKeepsTheStreamAsItWas(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "run.json")
	if err := run(strings.NewReader(stream), &bytes.Buffer{}, path); err != nil {
		t.Fatal(err)
	}
	saved, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(saved) != stream {
		t.Errorf("saved stream differs:\n%s", saved)
	}
}

func TestRunReportsAFileThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "no", "such", "folder")
	if err := run(strings.NewReader(stream), &bytes.Buffer{}, path); err == nil {
		t.Error("no error for a file that cannot be created")
	}
}
