package main

import (
	"context"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/examples/internal/countries"
)

// story is one region over one repository, and the counts that it tells.
type story struct {
	out        io.Writer
	repository *countries.Repository
	region     *cacheaside.Region[string, countries.Country]
	load       cacheaside.Loader[string, countries.Country]
	now        *clock.Mock
	reads      atomic.Int64 // of the source
}

func newStory(out io.Writer, repository *countries.Repository, cache cacheaside.Cache[string, countries.Country], now *clock.Mock) (*story, error) {
	region, err := newRegion(cache, now)
	if err != nil {
		return nil, err
	}
	s := &story{out: out, repository: repository, region: region, now: now}
	s.load = cacheaside.Classify(s.read, rules)
	return s, nil
}

func (s *story) read(ctx context.Context, code string) (countries.Country, error) {
	s.reads.Add(1)
	return s.repository.ByAlpha2(ctx, code)
}

func (s *story) tell(ctx context.Context) error {
	for _, chapter := range []func(context.Context) error{s.hits, s.failure, s.absence, s.bound, s.invalidation} {
		if err := chapter(ctx); err != nil {
			return err
		}
	}
	return s.region.Close(ctx)
}

func (s *story) hits(ctx context.Context) error {
	s.say("The first read asks the source, the second one does not.")
	s.get(ctx, "JP")
	s.get(ctx, "JP")
	return nil
}

func (s *story) failure(ctx context.Context) error {
	unlock, err := s.repository.Lock(ctx)
	if err != nil {
		return err
	}
	s.pass(2 * time.Minute)
	s.say("Two minutes later the value is due for a refresh, but another process has locked the file.")
	s.get(ctx, "JP")
	s.pass(10 * time.Minute)
	s.say("Ten more, and the value is past its hard expiry: an error is better than an answer that old.")
	s.get(ctx, "JP")
	s.pass(time.Minute)
	return unlock()
}

func (s *story) absence(ctx context.Context) error {
	s.say("The lock is gone. What the source says does not exist is remembered too.")
	s.get(ctx, "XX")
	s.get(ctx, "XX")
	return nil
}

func (s *story) bound(ctx context.Context) error {
	s.say("One slow read is running, and the policy allows no second one.")
	started, finish, done := make(chan struct{}), make(chan struct{}), make(chan struct{})
	slow := cacheaside.Classify(func(ctx context.Context, code string) (countries.Country, error) {
		close(started)
		<-finish
		return s.read(ctx, code)
	}, rules)
	go func() {
		defer close(done)
		_, _ = cacheaside.Get(ctx, s.region, "FR", slow) // told below, once it is in the cache
	}()
	<-started
	s.get(ctx, "DE")
	close(finish)
	<-done
	s.get(ctx, "FR")
	return nil
}

func (s *story) invalidation(ctx context.Context) error {
	s.say("Somebody renames a country: write the source, then invalidate.")
	s.get(ctx, "CZ")
	if err := s.repository.Rename(ctx, "CZ", "Czech Republic"); err != nil {
		return err
	}
	if err := cacheaside.Invalidate(ctx, s.region, "CZ"); err != nil {
		return err
	}
	s.get(ctx, "CZ")
	return nil
}

// get reads one country and prints how the read ended and how often the source was asked for it.
func (s *story) get(ctx context.Context, code string) {
	before := s.reads.Load()
	result, err := cacheaside.Get(ctx, s.region, code, s.load)
	fmt.Fprintf(s.out, "  %s  %-11s  source reads: %d  %s\n", code, result.Status, s.reads.Load()-before, answer(result, err))
}

func answer(result cacheaside.Result[countries.Country], err error) string {
	switch {
	case err != nil:
		return err.Error()
	case result.Cause != nil:
		return result.Value.Name + ", since: " + result.Cause.Error()
	case result.Status == cacheaside.StatusLoaded:
		return result.Value.Name + ", recorded: " + result.Record.Certainty.String()
	default:
		return result.Value.Name
	}
}

func (s *story) say(line string) { fmt.Fprintf(s.out, "\n%s\n", line) }

// pass lets time pass, on the clock of the cache and the region.
func (s *story) pass(d time.Duration) { s.now.Add(d) }
