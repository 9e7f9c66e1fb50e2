package correctness

import (
	"bytes"
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
)

// bodyBytes is the size of a row's body.
const bodyBytes = 1024

// answerer is what a source does about one call.
type answerer func(ctx context.Context, key uint64) (contender.Row, error)

// source is a source that does what it is told, and counts. It is safe for concurrent use.
type source struct {
	begun chan struct{} // holds a token once a call has begun since the last look

	mu                   sync.Mutex // guards what follows
	answer               answerer
	calls, running, peak int
	given                map[uint64][]contender.Row
}

func newSource(answer answerer) *source {
	return &source{answer: answer, begun: make(chan struct{}, 1), given: map[uint64][]contender.Row{}}
}

// Load counts also calls that panic or end their goroutine.
func (s *source) Load(ctx context.Context, key uint64) (contender.Row, error) {
	answer := s.enter()
	defer s.leave()
	select {
	case s.begun <- struct{}{}:
	default:
	}
	row, err := answer(ctx, key)
	if err == nil {
		s.remember(key, row)
	}
	return row, err
}

func (s *source) enter() answerer {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls++
	s.running++
	s.peak = max(s.peak, s.running)
	return s.answer
}

func (s *source) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running--
}

func (s *source) remember(key uint64, row contender.Row) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.given[key] = append(s.given[key], row)
}

// become changes what later calls do.
func (s *source) become(answer answerer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer = answer
}

func (s *source) loads() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls
}

// restart begins the counts anew.
func (s *source) restart() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls, s.peak = 0, s.running
}

func (s *source) count() Load {
	s.mu.Lock()
	defer s.mu.Unlock()
	return Load{Calls: s.calls, Peak: s.peak}
}

// gave tells whether row is one that the source gave for key.
func (s *source) gave(key uint64, row contender.Row) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, g := range s.given[key] {
		if g.Version == row.Version && g.ReadAt == row.ReadAt && bytes.Equal(g.Body, row.Body) {
			return true
		}
	}
	return false
}

// rowOf makes the row that key has in a version. Its body is noise: what a compressor would take out is not there to be damaged.
func rowOf(key, version uint64) contender.Row {
	random := rand.New(rand.NewPCG(key, version))
	body := make([]byte, bodyBytes)
	for i := range body {
		body[i] = byte(random.Uint32())
	}
	return contender.Row{Version: version, ReadAt: time.Now().UnixMicro(), Body: body}
}

// rowAfter answers with a version after a time, or with the context's error, as a database driver does.
func rowAfter(d time.Duration, version uint64) answerer {
	return func(ctx context.Context, key uint64) (contender.Row, error) {
		if err := wait(ctx, d); err != nil {
			return contender.Row{}, err
		}
		return rowOf(key, version), nil
	}
}

// failAfter fails after a time, in a way that may pass.
func failAfter(d time.Duration) answerer {
	return func(ctx context.Context, _ uint64) (contender.Row, error) {
		if err := wait(ctx, d); err != nil {
			return contender.Row{}, err
		}
		return contender.Row{}, contender.ErrSource
	}
}

// wait ends after d or with ctx.
func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
