package linear_test

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/internal/redistest"
)

const (
	operationsVariable = "CACHEASIDE_LINEAR_OPERATIONS"
	seedVariable       = "CACHEASIDE_LINEAR_SEED"

	operationsAtLeast = 1600 // of a seed
	checkerLimit      = time.Minute
)

// TestRecordsAreLinearizableWhateverTheConnectionsDo tries the adapter where the server lives and the ways to it do not.
func TestRecordsAreLinearizableWhateverTheConnectionsDo(t *testing.T) {
	t.Parallel()
	for range 2 {
		try(t, 0)
	}
}

// TestRecordsAreLinearizableAcrossServerCrashes also kills the server, which has every write that it answered on disk.
func TestRecordsAreLinearizableAcrossServerCrashes(t *testing.T) {
	t.Parallel()
	try(t, operations(t)/800)
}

func try(t *testing.T, kills int) {
	t.Helper()
	seed := seedOf(t)
	told, events, err := carryOut(t, seed, operations(t), kills, adapt)
	t.Logf("seed %d: %v; trouble %v", seed, told.results(), events)
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	if err := told.judge(checkerLimit); err != nil {
		t.Fatalf("seed %d, repeat with %s=%d: no order explains %v", seed, seedVariable, seed, err)
	}
	for _, must := range []string{"record applied", "record refused", "record unknown", "record gone", "swap applied", "invalidate applied", "lookup "} {
		if told.results()[must] == 0 && operations(t) >= operationsAtLeast {
			t.Errorf("seed %d: no %q in %d operations", seed, must, len(told))
		}
	}
}

// TestNaiveClientsAreNotLinearizable shows that the checker refuses what the usual clients do under the same trouble.
func TestNaiveClientsAreNotLinearizable(t *testing.T) {
	t.Parallel()
	for _, h := range []habit{retries, overwrites, getsThenSets, takesErrorAsNo} {
		t.Run(string(h), func(t *testing.T) {
			for range 10 {
				told, _, err := carryOut(t, rand.Uint64(), operationsAtLeast/2, 0, naively(h))
				if err != nil {
					t.Fatal(err)
				}
				if err := told.judge(checkerLimit); err != nil {
					return
				}
			}
			t.Error("the checker explained all that it did")
		})
	}
}

// carryOut runs a workload of two clients with good connections and four whose connections are in trouble.
func carryOut(
	t *testing.T, seed uint64, operations, kills int, open func(*redis.Options) (subject, error),
) (history, map[string]int, error) {
	t.Helper()
	server := redistest.Start(t, redistest.Options{AppendOnly: kills > 0})
	hard := &trouble{choose: rand.New(rand.NewPCG(seed, 0)), server: server, kills: kills, events: map[string]int{}}
	options := []*redis.Options{server.ClientOptions(), server.ClientOptions()}
	for range 2 {
		p := redistest.StartProxy(t, server.Addr())
		hard.proxies = append(hard.proxies, p)
		options = append(options, redistest.ClientOptions(p.Addr()), redistest.ClientOptions(p.Addr()))
	}
	for _, o := range options {
		// After as many failed dials as a pool is large it dials in a goroutine of its own, which ends a second after the client is closed.
		o.PoolSize = 1 << 12
	}
	w := &workload{seed: seed, operations: operations}
	over, ended := make(chan struct{}), make(chan error, 1)
	go func() {
		defer close(over)
		ended <- w.run(t.Context(), open, options)
	}()
	hard.last(over, func() int { return int(w.made.Load()) }, operations)
	return w.history, hard.events, <-ended
}

func operations(t *testing.T) int {
	t.Helper()
	return int(number(t, operationsVariable, operationsAtLeast))
}

func seedOf(t *testing.T) uint64 {
	t.Helper()
	return number(t, seedVariable, rand.Uint64())
}

func number(t *testing.T, variable string, otherwise uint64) uint64 {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return otherwise
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatalf("%s: %v", variable, err)
	}
	return n
}
