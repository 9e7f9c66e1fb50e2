package redistest_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/cacheaside/resilience/internal/redistest"
)

func TestPauseReturnsOnlyWhenTheServerHasStoppedRunning(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Options{})
	stat := fmt.Sprintf("/proc/%d/stat", server.Process().PID())
	for range 50 {
		server.Pause()
		text, err := os.ReadFile(stat)
		if err != nil {
			t.Fatal(err)
		}
		if _, state, _ := strings.Cut(string(text), ") "); !strings.HasPrefix(state, "T") {
			t.Fatalf("state %.1q after Pause", state)
		}
		server.Resume()
	}
}
