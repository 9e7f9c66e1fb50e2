package adapters_test

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/peers/internal/adapters"
	"github.com/cacheaside/resilience/internal/redistest"
)

func TestEveryLibraryKeepsToItsNamespaceCountsItsCommandsAndTakesItsMarksBack(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Options{})
	client := server.Client()
	for _, known := range adapters.Peers(adapters.Place{Addr: server.Addr()}) {
		var sent atomic.Int64
		place := adapters.Place{Addr: server.Addr(), Namespace: "mine-" + known.ID, Operation: func() { sent.Add(1) }}
		if known.ID == "go-zero" {
			// It keeps one client an address for the life of the process: only one on an address of its own is watched.
			place.Addr = redistest.Start(t, redistest.Options{}).Addr()
		}
		peer, _ := adapters.ByID(place, known.ID)
		source := &table{rows: map[uint64]contender.Row{}}
		const rows = 40
		for key := range uint64(rows) {
			source.write(key, 1, "row")
		}
		reader, err := peer.Open(contender.Node{Source: source, TTL: contender.TTL{Soft: 30 * time.Second, Hard: time.Minute, Negative: 30 * time.Second}})
		if err != nil {
			t.Fatal(err)
		}
		var callers sync.WaitGroup // at once, at which rueidisaside makes more marks than it takes back
		for key := range uint64(rows) {
			callers.Go(func() { reader.Get(t.Context(), key) })
		}
		callers.Wait()
		if err := reader.Close(t.Context()); err != nil {
			t.Errorf("%s: close: %v", peer.ID, err)
		}
		if enough := sent.Load() >= rows; enough == peer.InMemory() {
			t.Errorf("%s: %d commands are counted for %d rows in %s", peer.ID, sent.Load(), rows, peer.Keeps)
		}
	}
	for _, key := range client.Keys(t.Context(), "*").Val() {
		if !strings.HasPrefix(key, "mine-") {
			t.Errorf("%q is not under a namespace", key)
		}
	}
	if stored := client.DBSize(t.Context()).Val(); stored < 5*40 {
		t.Errorf("%d keys are stored, want the rows of 5 libraries", stored)
	}
}
