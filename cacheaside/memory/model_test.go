package memory_test

import (
	"slices"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/cacheaside/memory"
)

// plainCache is the cache as one would explain it: a list from the newest use to the oldest, searched from the front.
type plainCache struct {
	entries []plainEntry
	most    int
	bytes   int
}

type plainEntry struct {
	key        string
	kind       string
	value      string
	soft, hard int64
	number     int
}

func (p *plainCache) find(key string) int {
	return slices.IndexFunc(p.entries, func(e plainEntry) bool { return e.key == key })
}

func (p *plainCache) toFront(at int) {
	e := p.entries[at]
	p.entries = slices.Insert(slices.Delete(p.entries, at, at+1), 0, e)
}

func (p *plainCache) put(e plainEntry) {
	if at := p.find(e.key); at >= 0 {
		p.entries = slices.Delete(p.entries, at, at+1)
	}
	p.entries = slices.Insert(p.entries, 0, e)
	for len(p.entries) > p.most || p.cost() > p.bytes {
		p.entries = p.entries[:len(p.entries)-1]
	}
}

func (p *plainCache) cost() (sum int) {
	for _, e := range p.entries {
		sum += memory.EntryCost + len(e.value)
	}
	return sum
}

// state is what a lookup at that moment tells, and counts as one.
func (p *plainCache) state(key string, now int64) string {
	at := p.find(key)
	if at < 0 {
		return "Miss Absent"
	}
	e := p.entries[at]
	if now >= e.hard {
		return "Miss Expired"
	}
	p.toFront(at)
	switch {
	case e.kind == "tombstone":
		return "Miss Invalidated"
	case e.kind == "absence":
		return "Negative"
	case now >= e.soft:
		return "Stale " + e.value
	default:
		return "Fresh " + e.value
	}
}

// seenEntry is an observation with what it means to the plain cache.
type seenEntry struct {
	observation cacheaside.Observation
	number      int
	orGone      bool
}

func (p *plainCache) allows(key string, seen seenEntry, now int64) bool {
	at := p.find(key)
	gone := at < 0 || now >= p.entries[at].hard
	switch {
	case seen.observation == "":
		return gone
	case at >= 0 && p.entries[at].number == seen.number:
		return true
	default:
		return gone && seen.orGone
	}
}

func TestAnyHistoryGoesAsInAPlainList(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		still := newStillClock()
		plain := &plainCache{most: rapid.IntRange(1, 6).Draw(t, "entries"), bytes: rapid.IntRange(1, 6).Draw(t, "bytes") * memory.EntryCost}
		cache, err := memory.New(memory.Config[string, string]{
			TTL:        memory.TTL{Soft: 4 * time.Millisecond, Hard: 9 * time.Millisecond, Negative: 3 * time.Millisecond, Tombstone: 5 * time.Millisecond},
			MaxEntries: plain.most, MaxBytes: int64(plain.bytes), Clock: still, SizeOf: func(_, v string) int { return len(v) },
		})
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string][]seenEntry{}
		numbers := 0
		keys := rapid.SampledFrom([]string{"a", "b", "c", "d", "e", "f", "g"})
		t.Repeat(map[string]func(*rapid.T){
			"look": func(t *rapid.T) {
				key, now := keys.Draw(t, "key"), still.Now().UnixMilli()
				found := cache.Lookup(t.Context(), key)
				want := plain.state(key, now)
				if got := told(found); got != want {
					t.Fatalf("%s is %q, want %q", key, got, want)
				}
				if at := plain.find(key); at >= 0 {
					seen[key] = append(seen[key], seenEntry{found.Observation, plain.entries[at].number, found.Kind == cacheaside.LookupMiss})
				}
			},
			"record": func(t *rapid.T) {
				key, now := keys.Draw(t, "key"), still.Now().UnixMilli()
				by := rapid.SampledFrom(append([]seenEntry{{}}, seen[key]...)).Draw(t, "seen")
				numbers++
				e := plainEntry{key: key, kind: "absence", hard: now + 3, number: numbers}
				if rapid.Bool().Draw(t, "value") {
					text := strconv.Itoa(numbers) + string(make([]byte, rapid.IntRange(0, 2*memory.EntryCost).Draw(t, "size")))
					e = plainEntry{key: key, kind: "value", value: text, soft: now + 4, hard: now + 9, number: numbers}
				}
				outcome := cache.Record(t.Context(), key, cacheaside.Entry[string]{Negative: e.kind == "absence", Value: e.value},
					cacheaside.Condition{Observation: by.observation})
				want := memory.EntryCost+len(e.value) <= plain.bytes && plain.allows(key, by, now)
				if got := outcome.Certainty == cacheaside.RecordApplied; got != want {
					t.Fatalf("the record of %s is %s (%s), want it applied: %t", key, outcome.Certainty, outcome.Reason, want)
				}
				if want {
					plain.put(e)
				}
			},
			"invalidate": func(t *rapid.T) {
				key := keys.Draw(t, "key")
				numbers++
				cache.Invalidate(t.Context(), key)
				plain.put(plainEntry{key: key, kind: "tombstone", hard: still.Now().UnixMilli() + 5, number: numbers})
			},
			"wait": func(t *rapid.T) {
				still.Add(time.Duration(rapid.IntRange(1, 4).Draw(t, "millis")) * time.Millisecond)
			},
			"": func(t *rapid.T) {
				if cache.Len() != len(plain.entries) || cache.Bytes() != int64(plain.cost()) {
					t.Fatalf("%d entries of %d bytes, want %d of %d", cache.Len(), cache.Bytes(), len(plain.entries), plain.cost())
				}
			},
		})
	})
}

func told(found cacheaside.Lookup[string]) string {
	switch found.Kind {
	case cacheaside.LookupMiss:
		return "Miss " + found.Miss.String()
	case cacheaside.LookupFresh, cacheaside.LookupStale:
		return found.Kind.String() + " " + found.Value
	case cacheaside.LookupNegative, cacheaside.LookupUnusable, cacheaside.LookupUnavailable:
	}
	return found.Kind.String()
}
