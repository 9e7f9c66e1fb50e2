package servers_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/internal/redistest"
	"github.com/cacheaside/resilience/redisadapter"
)

const (
	shortLookup = 200 * time.Millisecond // and twice that for records
	nap         = 1500 * time.Millisecond
	longNap     = 5 * time.Second // in which three calls end at their limits one after the other, on a slow machine too
)

// sleeper is a server that falls asleep, and a cache with a breaker of its own on it.
type sleeper struct {
	t       *testing.T
	server  *redistest.Server
	admin   *redis.Client
	cache   *redisadapter.Cache[string, string]
	region  *cacheaside.Region[string, string]
	sleeps  sync.WaitGroup
	client  *redis.Client // of the cache
	waiting *redis.Client // in the command that makes the server sleep
}

func newSleeper(t *testing.T) *sleeper {
	t.Helper()
	s := &sleeper{t: t, server: redistest.Start(t, redistest.Options{})}
	s.admin, s.waiting, s.client = s.server.Client(), s.server.Client(), s.server.Client()
	breaker := new(redisadapter.Breaker)
	t.Cleanup(func() { _ = breaker.Close() })
	s.cache = openCache(t, s.client, cacheConfig(bookRegion, time.Millisecond, shortLookup, breaker))
	s.region = openRegion(t, openCache(t, s.server.Client(), cacheConfig(shopRegion, life, shortLookup, breaker)))
	t.Cleanup(s.sleeps.Wait)
	return s
}

// sleep makes the server deaf for a nap and returns once it is.
func (s *sleeper) sleep(ctx context.Context, command ...any) {
	s.t.Helper()
	s.sleeps.Go(func() { _ = s.waiting.Do(context.WithoutCancel(ctx), command...).Err() })
	awaitSleep(ctx, s.t, s.server)
}

// awaitSleep returns once the server takes no writes.
func awaitSleep(ctx context.Context, t testing.TB, server *redistest.Server) {
	t.Helper()
	impatient := server.ClientOptions()
	impatient.ReadTimeout = 30 * time.Millisecond
	client := redis.NewClient(impatient)
	defer client.Close()
	unanswered := 0 // in a row: a busy machine keeps one waiting as well
	eventually(t, "the server's sleep", func() bool {
		if unanswered++; client.Set(ctx, "probe", "x", time.Second).Err() == nil {
			unanswered = 0
		}
		return unanswered == 5
	})
}

// connect makes n connections of the client ready: on a new one, whose handshake is not answered, nothing would be sent.
func connect(ctx context.Context, client *redis.Client, n int) {
	var waiting sync.WaitGroup
	for range n {
		waiting.Go(func() { _ = client.BLPop(ctx, 100*time.Millisecond, "nobody").Err() })
	}
	waiting.Wait()
}

// stored waits until an entry is there that can be replaced.
func (s *sleeper) stored(ctx context.Context, key string, id int64) cacheaside.Lookup[string] {
	s.t.Helper()
	if out := s.cache.Record(ctx, key, entryOf(key, id), cacheaside.Condition{}); out.Certainty != cacheaside.RecordApplied {
		s.t.Fatalf("%v (%v)", describeOutcome(out), out.Err)
	}
	var found cacheaside.Lookup[string]
	eventually(s.t, "a stale entry", func() bool {
		found = s.cache.Lookup(ctx, key)
		return found.Kind == cacheaside.LookupStale
	})
	return found
}

// teach lets the server see the scripts: of one that it does not know, the name alone changes nothing however late it comes.
func (s *sleeper) teach(ctx context.Context) {
	s.t.Helper()
	seen := s.stored(ctx, "lesson", 1)
	out := s.cache.Record(ctx, "lesson", entryOf("lesson", 2), cacheaside.Condition{Observation: seen.Observation})
	if buried := s.cache.Invalidate(ctx, "lesson"); out.Certainty != cacheaside.RecordApplied || buried.Certainty != cacheaside.RecordApplied {
		s.t.Fatalf("%v, %v", describeOutcome(out), describeOutcome(buried))
	}
}

func entryOf(key string, id int64) cacheaside.Entry[string] {
	return cacheaside.Entry[string]{Value: compose(key, id, 100)}
}

// idAt is the number of the value that a key has, once the server answers again.
func (s *sleeper) idAt(ctx context.Context, key string) int64 {
	s.t.Helper()
	var found cacheaside.Lookup[string]
	eventually(s.t, "the recovery", func() bool {
		found = s.cache.Lookup(ctx, key)
		return found.Kind != cacheaside.LookupUnavailable
	})
	if found.Miss == cacheaside.MissInvalidated {
		return -1
	}
	_, id, err := whole(found.Value)
	if err != nil {
		s.t.Fatalf("%s: %v, %v", key, describeLookup(found), err)
	}
	return id
}

// wantAsleep takes the three calls that open the breaker: each ends at its limit and tells the truth; what follows ends at once.
func (s *sleeper) wantAsleep(ctx context.Context, key string, seen cacheaside.Observation) {
	s.t.Helper()
	start := time.Now()
	out := s.cache.Record(ctx, key, entryOf(key, 2), cacheaside.Condition{Observation: seen})
	s.want("a record", describeOutcome(out), "Indeterminate Timeout", time.Since(start))
	start = time.Now()
	out = s.cache.Invalidate(ctx, key+"-invalidated")
	s.want("an invalidation", describeOutcome(out), "Indeterminate Timeout", time.Since(start))
	start = time.Now()
	found := s.cache.Lookup(ctx, key)
	s.want("a lookup", describeLookup(found), "lookup Unavailable Timeout", time.Since(start))
	out = s.cache.Record(ctx, key, entryOf(key, 3), cacheaside.Condition{Observation: seen})
	s.want("a record behind the open breaker", describeOutcome(out), "NotApplied NeverSent BreakerOpen", 0)
	if !errors.Is(out.Err, redisadapter.ErrBreakerOpen) {
		s.t.Errorf("its error is %v", out.Err)
	}
	result, err := cacheaside.Get(ctx, s.region, key, func(context.Context, string) cacheaside.SourceOutcome[string] {
		return cacheaside.Loaded("from the source", "")
	})
	if err != nil || result.Status != cacheaside.StatusLoaded {
		s.t.Errorf("a read of a server asleep: %v, %v", result.Status, err)
	}
}

func (s *sleeper) want(what, got, want string, took time.Duration) {
	s.t.Helper()
	if got != want {
		s.t.Errorf("%s is %q, want %q", what, got, want)
	}
	if took > longNap {
		s.t.Errorf("%s took %v: nothing ended it at its limit", what, took)
	}
}

// TestAServerThatFallsAsleepEndsNoCallLateAndItsLateRecordsAreSeenAsWhatTheyAre tells DEBUG SLEEP, after which the server executes what abandoned
// connections have sent, from CLIENT PAUSE, after which it does not.
func TestAServerThatFallsAsleepEndsNoCallLateAndItsLateRecordsAreSeenAsWhatTheyAre(t *testing.T) {
	t.Parallel()
	for name, trouble := range map[string]struct {
		command []any
		late    bool
	}{
		"asleep": {[]any{"debug", "sleep", longNap.Seconds()}, true},
		"paused": {[]any{"client", "pause", longNap.Milliseconds(), "all"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, ctx := newSleeper(t), t.Context()
			const key = "key"
			seen := s.stored(ctx, key, 1)
			s.stored(ctx, key+"-invalidated", 1)
			s.teach(ctx)
			connect(ctx, s.client, 4)
			s.sleep(ctx, trouble.command...)
			s.wantAsleep(ctx, key, seen.Observation)
			s.sleeps.Wait()

			want, invalidated := int64(1), int64(1)
			if trouble.late {
				want, invalidated = 2, -1
			}
			if id := s.idAt(ctx, key); id != want {
				t.Errorf("value %d is stored after the sleep, want %d", id, want)
			}
			if id := s.idAt(ctx, key+"-invalidated"); id != invalidated {
				t.Errorf("value %d is stored where an invalidation is undecided, want %d", id, invalidated)
			}
			out := s.cache.Record(ctx, key, entryOf(key, 4), cacheaside.Condition{Observation: seen.Observation})
			if got := describeOutcome(out); trouble.late && got != "NotApplied ConditionFailed" || !trouble.late && got != "applied" {
				t.Errorf("a record over what was seen before the sleep is %s", got)
			}
		})
	}
}

// TestAServerThatPausesWritesAloneStillAnswersLookups leaves the breaker closed: every answered lookup tells that the server lives.
func TestAServerThatPausesWritesAloneStillAnswersLookups(t *testing.T) {
	t.Parallel()
	s, ctx := newSleeper(t), t.Context()
	seen := s.stored(ctx, "key", 1)
	s.teach(ctx)
	s.sleep(ctx, "client", "pause", 10*nap.Milliseconds(), "write") // until it is ended below
	for range 4 {
		out := s.cache.Record(ctx, "key", entryOf("key", 2), cacheaside.Condition{Observation: seen.Observation})
		if got := describeOutcome(out); got != "Indeterminate Timeout" {
			t.Errorf("a paused record is %q", got)
		}
		if found := s.cache.Lookup(ctx, "key"); found.Kind != cacheaside.LookupStale {
			t.Errorf("a lookup beside paused writes is %q", describeLookup(found))
		}
	}
	if err := s.admin.Do(ctx, "client", "unpause").Err(); err != nil {
		t.Fatal(err)
	}
	out := s.cache.Record(ctx, "key", entryOf("key", 3), cacheaside.Condition{Observation: seen.Observation})
	if got := describeOutcome(out); got != "applied" {
		t.Errorf("a record after the pause is %q", got)
	}
}
