package live_test

import (
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/cacheaside/resilience/bench/internal/live"
)

// TestMain lets the test binary be its own worker.
func TestMain(m *testing.M) {
	if isWorker, exit := live.Worker(lookup); isWorker {
		os.Exit(exit)
	}
	goleak.VerifyTestMain(m)
}
