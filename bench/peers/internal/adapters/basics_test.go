package adapters_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/peers/internal/adapters"
	"github.com/cacheaside/resilience/internal/redistest"
)

// table is a source whose rows a test writes.
type table struct {
	mu    sync.Mutex
	rows  map[uint64]contender.Row
	loads int
}

func (s *table) Load(_ context.Context, key uint64) (contender.Row, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.loads++
	row, found := s.rows[key]
	if !found {
		return contender.Row{}, contender.ErrNoRow
	}
	row.ReadAt = time.Now().UnixMicro()
	return row, nil
}

func (s *table) write(key, version uint64, body string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rows[key] = contender.Row{Version: version, Body: []byte(body)}
}

func (s *table) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.loads
}

func TestEveryLibraryLoadsHitsInvalidatesAndLoadsAgain(t *testing.T) {
	t.Parallel()
	forEachPeer(t, func(t *testing.T, s *table, reader contender.Reader) {
		s.write(1, 1, "one")
		expect(t, "a miss", reader, 1, contender.Loaded, "one")
		expect(t, "a hit", reader, 1, contender.Hit, "one")
		if s.count() != 1 {
			t.Errorf("%d loads for a miss and a hit", s.count())
		}
		s.write(1, 2, "two")
		expect(t, "a hit on what was not invalidated", reader, 1, contender.Hit, "one")
		if err := reader.Invalidate(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		expect(t, "a miss after the invalidation", reader, 1, contender.Loaded, "two")
		if s.count() != 2 {
			t.Errorf("%d loads in all", s.count())
		}
	})
}

func TestEveryLibraryTellsAMissingRow(t *testing.T) {
	t.Parallel()
	forEachPeer(t, func(t *testing.T, s *table, reader contender.Reader) {
		for range 2 {
			if answer := reader.Get(t.Context(), 7); answer.Ending != contender.Absent {
				t.Fatalf("%s %q", answer.Ending, answer.Reason)
			}
		}
		s.write(7, 1, "written later")
		if err := reader.Invalidate(t.Context(), 7); err != nil {
			t.Fatal(err)
		}
		expect(t, "a row that was written and invalidated", reader, 7, contender.Loaded, "written later")
	})
}

// forEachPeer runs a test with every library, each on keys of its own on one Redis.
func forEachPeer(t *testing.T, do func(*testing.T, *table, contender.Reader)) {
	server := redistest.Start(t, redistest.Options{})
	for _, peer := range adapters.Peers(adapters.Place{Addr: server.Addr()}) {
		t.Run(peer.ID, func(t *testing.T) {
			s := &table{rows: map[uint64]contender.Row{}}
			reader, err := peer.Open(contender.Node{
				Source: s, TTL: contender.TTL{Soft: 30 * time.Second, Hard: time.Minute, Negative: 30 * time.Second},
			})
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := reader.Close(context.Background()); err != nil {
					t.Errorf("close: %v", err)
				}
			}()
			do(t, s, reader)
		})
	}
}

func expect(t *testing.T, what string, reader contender.Reader, key uint64, ending contender.Ending, body string) {
	t.Helper()
	answer := reader.Get(t.Context(), key)
	if answer.Ending != ending || string(answer.Row.Body) != body {
		t.Errorf("%s: %s %q with %q, want %s with %q", what, answer.Ending, answer.Reason, answer.Row.Body, ending, body)
	}
}

func TestPeersAreToldApart(t *testing.T) {
	t.Parallel()
	nowhere := adapters.Place{Addr: "127.0.0.1:1"}
	seen := map[string]bool{}
	for _, peer := range adapters.Peers(nowhere) {
		if seen[peer.ID] || peer.ID == "" || peer.Name == "" || peer.Module == "" || peer.Keeps == "" || peer.Page == "" {
			t.Errorf("%+v", peer)
		}
		seen[peer.ID] = true
		if found, ok := adapters.ByID(nowhere, peer.ID); !ok || found.ID != peer.ID {
			t.Errorf("%s is not found by its name", peer.ID)
		}
	}
	for _, id := range []string{
		"otter", "sturdyc", "go-redis/cache", "rueidisaside", "go-zero", "failsafe-go", "resilience-survive", "resilience-strict",
	} {
		if !seen[id] {
			t.Errorf("%s is missing", id)
		}
	}
	if len(adapters.All(nowhere)) != len(seen) {
		t.Error("All and Peers differ")
	}
	if _, ok := adapters.ByID(nowhere, "none"); ok {
		t.Error("a peer that nobody knows was found")
	}
}
