package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/cacheaside/resilience/internal/redistest"
)

const told = `
A reads the row and is slow to bring it. Meanwhile B writes the row and invalidates.
  A  begin one        loading
  B  invalidate one   ok
  B  get one          Loaded "new", source reads: 1, recorded: Applied
  A  free             Loaded "old", source reads: 1, recorded: NotApplied (Superseded)
  B  get one          Fresh "new", source reads: 0

The value is due for a refresh. A begins it and is killed.
  A  get two          Loaded "new", source reads: 1, recorded: Applied
  A  begin two        loading
  A  kill -9
  B  get two          Stale "new", source reads: 0, since: cacheaside: region row: rejected (Held)

Nobody renews the dead process's grant. When it runs out, B loads.
  B  get two          Loaded "new", source reads: 1, recorded: Applied
`

// TestMain lets the test binary be one of the two processes.
func TestMain(m *testing.M) {
	if os.Getenv(workerAt) != "" {
		main()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestTwoProcessesLoadOnceAndAnInvalidationWins(t *testing.T) {
	t.Parallel()
	redistest.Require(t)
	var out bytes.Buffer
	if err := run(t.Context(), nil, &out); err != nil {
		t.Fatal(err)
	}
	if out.String() != told {
		t.Errorf("told:\n%s\nwant:\n%s", out.String(), told)
	}
}

func TestWhatCannotBeDoneIsSaidInOneLine(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		args []string
		want string
	}{
		"unknown flag": {[]string{"-rediss"}, "-rediss"},
		"argument":     {[]string{"auto"}, `unexpected argument "auto"`},
		"not a URL":    {[]string{"-redis", "http://127.0.0.1/"}, "process A"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			err := run(t.Context(), test.args, &out)
			if err == nil || !strings.Contains(err.Error(), test.want) || out.Len() > 0 {
				t.Errorf("error %v, printed %q", err, out.String())
			}
		})
	}
}
