package servers_test

import (
	"os"
	"testing"
	"time"
)

const (
	// envEffort names the environment variable that says how long all trials together may take.
	envEffort = "CACHEASIDE_SERVERS"
	// shortForm is how long they take without it.
	shortForm = 20 * time.Second

	patience = 20 * time.Second
)

// rounds is how often a trial repeats its trouble: as often as short says, or in proportion more.
func rounds(t testing.TB, short int) int {
	t.Helper()
	text := os.Getenv(envEffort)
	if text == "" {
		return short
	}
	effort, err := time.ParseDuration(text)
	if err != nil || effort <= 0 {
		t.Fatalf("%s is %q: must be a positive duration such as 3m", envEffort, text)
	}
	return max(short, int(effort/shortForm)*short)
}

// eventually waits for what no event tells.
func eventually(t testing.TB, what string, so func() bool) {
	t.Helper()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	limit := time.NewTimer(patience)
	defer limit.Stop()
	for !so() {
		select {
		case <-tick.C:
		case <-limit.C:
			t.Fatalf("waited in vain: %s", what)
		}
	}
}
