package remote_test

import (
	"context"
	"errors"
	"math"
	"sync"
	"testing"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/live/remote"
	"github.com/cacheaside/resilience/bench/internal/measure"
)

func TestASourceAnswersRowsAndAbsences(t *testing.T) {
	t.Parallel()
	c := dial(t, serve(t, quick(4), nil))
	row, err := c.Load(t.Context(), 3)
	if err != nil || row.Version != 1 || len(row.Body) != 10 || row.Age(time.Now()) < 0 || row.Age(time.Now()) > time.Hour {
		t.Errorf("key 3 gives %+v, %v", row, err)
	}
	if _, err := c.Load(t.Context(), 39); !errors.Is(err, contender.ErrNoRow) {
		t.Errorf("key 39 gives %v, want no row", err)
	}
}

func TestWorkIsTakenInTheOrderOfItsArrival(t *testing.T) {
	t.Parallel()
	came, onCall := arrivals()
	s := serve(t, quick(1), onCall)
	s.Set(remote.Fault{Hang: remote.Hang{Key: 0, First: 1}})
	c := dial(t, s)
	ended := make(chan uint64, 10)
	var callers sync.WaitGroup
	for key := range uint64(10) {
		callers.Go(func() {
			if _, err := c.Load(t.Context(), key); err != nil {
				t.Error(err)
			}
			ended <- key
		})
		receive(t, came, "a load to arrive")
	}
	s.Set(remote.Fault{}) // lets go of the one that all others wait for
	callers.Wait()
	// Answers of one worker come over one connection in order; the callers that they wake may overtake their neighbours only.
	for place := range uint64(10) {
		if key := <-ended; key > place+2 || place > key+2 {
			t.Errorf("key %d ends in place %d", key, place)
		}
	}
}

func TestNoMoreIsWorkedOnThanThereArePlaces(t *testing.T) {
	t.Parallel()
	came, onCall := arrivals()
	s := serve(t, long(3), onCall)
	counts := measure.New(time.Now(), time.Second)
	s.Count(counts)
	c, err := remote.Dial(t.Context(), s.Addr(), 2)
	if err != nil {
		t.Fatal(err)
	}
	var callers sync.WaitGroup
	for key := range uint64(10) {
		callers.Go(func() {
			if _, err := c.Load(t.Context(), key); !errors.Is(err, remote.ErrLost) {
				t.Errorf("a closed client gives %v, want %v", err, remote.ErrLost)
			}
		})
		receive(t, came, "a load to arrive")
	}
	// What a load does to the level is counted before the next frame of its connection is read, so that two more settle the ten.
	left, leave := context.WithCancel(t.Context())
	for key := range uint64(2) {
		callers.Go(func() { _, _ = c.Load(left, 100+key) })
		receive(t, came, "one more")
	}
	leave()
	c.Close()
	callers.Wait()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	run := counts.Tally().Figures(measure.Trigger{}, time.Hour)
	if run.SourceCalls != 12 || run.SourceConcurrency != 3 || run.SourceOutstanding < 10 || run.SourceOutstanding > 12 {
		t.Errorf("%d calls, %d at once, %d outstanding; want 12, 3, 10 to 12", run.SourceCalls, run.SourceConcurrency, run.SourceOutstanding)
	}
}

func TestAFaultyTransientSourceStillTakesItsTimeAndADownOneDoesNot(t *testing.T) {
	t.Parallel()
	s := serve(t, quick(2), nil)
	c := dial(t, s)
	for name, fault := range map[string]remote.Fault{"errors": {Errors: 1}, "down": {Down: true}} {
		s.Set(fault)
		if _, err := c.Load(t.Context(), 1); !errors.Is(err, contender.ErrSource) {
			t.Errorf("%s: %v, want %v", name, err, contender.ErrSource)
		}
	}
	s.Set(remote.Fault{Errors: 0.5})
	failed := 0
	for key := range uint64(200) {
		if _, err := c.Load(t.Context(), key*20); errors.Is(err, contender.ErrSource) {
			failed++
		}
	}
	if failed < 60 || failed > 140 {
		t.Errorf("%d of 200 loads fail at a rate of one half", failed)
	}
	s.Set(remote.Fault{})
	if _, err := c.Load(t.Context(), 1); err != nil {
		t.Errorf("after the fault: %v", err)
	}
}

func TestASlowerSourceTakesLonger(t *testing.T) {
	t.Parallel()
	s := serve(t, remote.Model{Slots: 1, Mean: time.Millisecond, Seed: 1}, nil)
	c := dial(t, s)
	s.Set(remote.Fault{Slower: 50})
	begun := time.Now()
	if _, err := c.Load(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(begun); took < 50*time.Millisecond {
		t.Errorf("a load of 1ms takes %v at a fiftieth of the speed", took)
	}
}

func TestOnlyTheFirstLoadsOfAKeyHang(t *testing.T) {
	t.Parallel()
	came, onCall := arrivals()
	s := serve(t, quick(4), onCall)
	s.Set(remote.Fault{Hang: remote.Hang{Key: 7, First: 2}})
	c := dial(t, s)
	hung := make(chan error, 2)
	for range 2 {
		go func() {
			_, err := c.Load(t.Context(), 7)
			hung <- err
		}()
		receive(t, came, "a load to arrive")
	}
	for _, key := range []uint64{7, 8} {
		if _, err := c.Load(t.Context(), key); err != nil {
			t.Errorf("key %d: %v", key, err)
		}
	}
	select {
	case err := <-hung:
		t.Errorf("a load that hangs returns %v", err)
	default:
	}
	s.Set(remote.Fault{})
	for range 2 {
		if err := receive(t, hung, "a load that no longer hangs"); err != nil {
			t.Error(err)
		}
	}
}

func TestWorkThatNobodyWaitsForIsWastedOrDropped(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		drops bool
	}{{"goes on", false}, {"dropped", true}} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			came, onCall := arrivals()
			model := quick(1)
			model.DropsAbandoned = test.drops
			s := serve(t, model, onCall)
			s.Set(remote.Fault{Hang: remote.Hang{Key: 1, First: math.MaxUint64}})
			counts := measure.New(time.Now(), time.Second)
			s.Count(counts)
			c := dial(t, s)
			ctx, leave := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			go func() {
				_, err := c.Load(ctx, 1)
				ended <- err
			}()
			receive(t, came, "the load to arrive")
			leave()
			if err := receive(t, ended, "the caller to leave"); !errors.Is(err, context.Canceled) {
				t.Errorf("the caller gets %v", err)
			}
			if !test.drops {
				s.Set(remote.Fault{})
			}
			if _, err := c.Load(t.Context(), 2); err != nil { // its turn comes when the other one's place is free
				t.Error(err)
			}
			if run := counts.Tally().Figures(measure.Trigger{}, time.Hour); run.SourceWasted != 1 || run.SourceCalls != 2 {
				t.Errorf("%d of %d loads are wasted, want 1 of 2", run.SourceWasted, run.SourceCalls)
			}
		})
	}
}

func TestWorkWhoseCallerLeavesTheQueueIsBegunOnlyByASourceThatDoesNotLook(t *testing.T) {
	t.Parallel()
	for drops, wasted := range map[bool]int64{true: 0, false: 1} {
		came, onCall := arrivals()
		model := quick(1)
		model.DropsAbandoned = drops
		s := serve(t, model, onCall)
		s.Set(remote.Fault{Hang: remote.Hang{Key: 1, First: 1}})
		counts := measure.New(time.Now(), time.Second)
		s.Count(counts)
		c := dial(t, s)
		var callers sync.WaitGroup
		load := func(ctx context.Context, key uint64) (ended chan struct{}) {
			ended = make(chan struct{})
			callers.Go(func() {
				defer close(ended)
				_, _ = c.Load(ctx, key)
			})
			receive(t, came, "a load to arrive")
			return ended
		}
		load(t.Context(), 1)
		ctx, leave := context.WithCancel(t.Context())
		ended := load(ctx, 2)
		leave()
		receive(t, ended, "its caller to leave, and to say so")
		load(t.Context(), 3) // comes behind that word on the same connection
		s.Set(remote.Fault{})
		callers.Wait()
		if run := counts.Tally().Figures(measure.Trigger{}, time.Hour); run.SourceWasted != wasted {
			t.Errorf("a source that looks: %t has %d wasted loads, want %d", drops, run.SourceWasted, wasted)
		}
	}
}

func TestADeafClientWaitsForTheSourceWhateverItsContextSays(t *testing.T) {
	t.Parallel()
	came, onCall := arrivals()
	s := serve(t, quick(1), onCall)
	s.Set(remote.Fault{Hang: remote.Hang{Every: true}})
	c := dial(t, s)
	c.Deaf = true
	ctx, leave := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := c.Load(ctx, 1)
		ended <- err
	}()
	receive(t, came, "the load to arrive")
	leave()
	s.Set(remote.Fault{})
	if err := receive(t, ended, "the answer"); err != nil {
		t.Errorf("the answer is %v, want a row", err)
	}
}

func TestAModelThatCannotBeIsRefused(t *testing.T) {
	t.Parallel()
	for _, model := range []remote.Model{{Mean: time.Second}, {Slots: 1}, {Slots: 1, Mean: time.Second, BodyBytes: 2 << 20}} {
		if s, err := remote.Serve(model, nil); err == nil {
			t.Errorf("%+v is served", model)
			_ = s.Close()
		}
	}
}
