package memory_test

import (
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/cacheaside/memory"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var ttl = memory.TTL{
	Soft: 10 * time.Second, Hard: 60 * time.Second, Negative: 5 * time.Second, MinHard: time.Second, Tombstone: 30 * time.Second,
}

const onlyIfAbsent cacheaside.Observation = ""

// fixture is a cache of strings with the clock it runs on, which starts at a whole second.
type fixture struct {
	*memory.Cache[string, string]

	t     *testing.T
	clock *stillClock
}

func newFixture(t *testing.T, change func(*memory.Config[string, string])) fixture {
	t.Helper()
	still := newStillClock()
	cfg := memory.Config[string, string]{TTL: ttl, MaxEntries: 8, Clock: still}
	if change != nil {
		change(&cfg)
	}
	cache, err := memory.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return fixture{Cache: cache, t: t, clock: still}
}

func (f fixture) look(key string) cacheaside.Lookup[string] { return f.Lookup(f.t.Context(), key) }

func (f fixture) record(key, value string, seen cacheaside.Observation) cacheaside.RecordOutcome {
	entry := cacheaside.Entry[string]{Value: value}
	return f.Record(f.t.Context(), key, entry, cacheaside.Condition{Observation: seen})
}

func (f fixture) seed(keys ...string) {
	f.t.Helper()
	for _, key := range keys {
		f.applied(f.record(key, "value of "+key, onlyIfAbsent))
	}
}

func (f fixture) applied(outcome cacheaside.RecordOutcome) {
	f.t.Helper()
	if outcome.Certainty != cacheaside.RecordApplied {
		f.t.Fatalf("the record is %s (%s): %v", outcome.Certainty, outcome.Reason, outcome.Err)
	}
}

func (f fixture) refused(outcome cacheaside.RecordOutcome, reason cacheaside.RecordReason) {
	f.t.Helper()
	if outcome.Certainty != cacheaside.RecordNotApplied || outcome.Reason != reason {
		f.t.Errorf("the record is %s (%s), want NotApplied (%s)", outcome.Certainty, outcome.Reason, reason)
	}
}

// holds wants exactly the listed keys, of all those that were ever used, to be there. It does not ask by Lookup, which would count as a use.
func (f fixture) holds(want ...string) {
	f.t.Helper()
	for _, key := range want {
		if outcome := f.record(key, "probe", onlyIfAbsent); outcome.Reason != cacheaside.RecordConditionFailed {
			f.t.Fatalf("%s is not there", key)
		}
	}
	if f.Len() != len(want) {
		f.t.Errorf("%d entries are held, want %d", f.Len(), len(want))
	}
}
