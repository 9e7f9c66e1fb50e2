package postgres_test

import (
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"
)

// stopping ends the server when all tests have run, before leaks are looked for.
type stopping struct{ *testing.M }

func (s stopping) Run() int {
	code := s.M.Run()
	if err := theServer.stop(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(stopping{m}) }
