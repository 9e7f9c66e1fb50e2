package cacheaside_test

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

func TestC06_WaitersShareTheFailureOfTheirLoadAsItIs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		errX := errors.New("x")
		cache := &scripted{}
		r := newRegion(t, cache)
		shared := 0
		crowd(5, r, "k", after(10*time.Millisecond, cacheaside.PermanentFailure[string]("e42", errX))).each(func(o outcome) {
			var failure *cacheaside.SourceError
			if !errors.As(o.err, &failure) || failure.Transient || failure.Code != "e42" || !errors.Is(o.err, errX) || o.result.Value != "" {
				t.Fatalf("a caller got %+v, %v", o.result, o.err)
			}
			if o.result.Shared {
				shared++
			}
		})
		if shared != 4 || len(cache.records()) != 0 {
			t.Fatalf("%d shared, records %+v", shared, cache.records())
		}
		wantAtRest(t, r, 16)
	})
}

// TestC08_ACallerWhoMissedBeforeTheLeadersRecordLooksAgain delays the answer of one caller's lookup until another has loaded and recorded.
func TestC08_ACallerWhoMissedBeforeTheLeadersRecordLooksAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache := &scripted{}
		cache.lookup = func(ctx context.Context, key string) cacheaside.Lookup[string] {
			found := cache.stored(key)
			if ctx.Value(valueKey("slow")) != nil && cache.lookedUp() <= 2 {
				<-time.After(300 * time.Millisecond)
			}
			return found
		}
		r := newRegion(t, cache)
		source := counted(after(50*time.Millisecond, cacheaside.Loaded("value", "")))
		b := goGet(context.WithValue(context.Background(), valueKey("slow"), 1), r, "k", source.call)
		synctest.Wait()
		wantValue(t, get(context.Background(), r, "k", source.call), cacheaside.StatusLoaded, "value")
		o := <-b
		wantValue(t, o, cacheaside.StatusFresh, "value")
		if o.took != 300*time.Millisecond {
			t.Fatalf("took %v", o.took)
		}
		source.want(t, 1)
		if records := cache.records(); len(records) != 1 {
			t.Fatalf("records %+v", records)
		}
		wantAtRest(t, r, 16)
	})
}

func TestC09_ACallerWithADifferentLoaderGetsTheSharedOutcomeAndSeesThatItIsShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache := &scripted{}
		cache.lookup = func(_ context.Context, key string) cacheaside.Lookup[string] { return cache.stored(key) }
		r := newRegion(t, cache)
		a := goGet(context.Background(), r, "k", after(10*time.Millisecond, cacheaside.AuthoritativeAbsent[string]("probe", "")))
		synctest.Wait()
		b := get(context.Background(), r, "k", returning(cacheaside.Loaded("5", "")))
		for _, o := range []outcome{<-a, b} {
			if o.result.Status != cacheaside.StatusAbsent || !errors.Is(o.err, cacheaside.ErrAbsent) || o.result.Value != "" {
				t.Fatalf("a caller got %+v, %v", o.result, o.err)
			}
		}
		if !b.result.Shared {
			t.Fatal("the second caller does not see that its outcome is shared")
		}
		if records := cache.records(); len(records) != 1 || !records[0].entry.Negative {
			t.Fatalf("records %+v", records)
		}
		if o := get(context.Background(), r, "k", mustNotLoad(t)); o.result.Status != cacheaside.StatusNegativeHit {
			t.Fatalf("afterwards: %v, %v", o.result.Status, o.err)
		}
	})
}

func TestC21_ExactlyMaxWaitersPerKeyJoinAndTheRestAreRefusedAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRegion(t, &scripted{}, policy(func(p *cacheaside.Policy) { p.MaxWaitersPerKey = 8 }))
		source := newGate(cacheaside.Loaded("value", ""))
		leader := goGet(context.Background(), r, "k", source.load)
		synctest.Wait()
		all := crowd(100, r, "k", source.load)
		synctest.Wait()
		if s := r.Stats(); s.Waiters != 8 || s.ByReason[cacheaside.ReasonWaitersFull] != 92 {
			t.Fatalf("%+v", s)
		}
		<-time.After(10 * time.Millisecond)
		close(source.open)
		joined := 0
		all.each(func(o outcome) {
			if o.err == nil {
				wantValue(t, o, cacheaside.StatusLoaded, "value")
				joined++
				return
			}
			wantRejected(t, o, cacheaside.ReasonWaitersFull)
			wantAtOnce(t, o)
		})
		wantValue(t, <-leader, cacheaside.StatusLoaded, "value")
		if calls, _ := source.counts(); joined != 8 || calls != 1 {
			t.Fatalf("%d joined, %d loads", joined, calls)
		}
		wantValue(t, get(context.Background(), r, "k", returning(cacheaside.Loaded("next", ""))), cacheaside.StatusLoaded, "next")
		wantAtRest(t, r, 16)
	})
}

// TestC23_AnAdmissionTimeoutNeverDestroysAPermit repeats fifty times what destroys one where a permit is handed to a waiter that has left.
func TestC23_AnAdmissionTimeoutNeverDestroysAPermit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRegion(t, &scripted{}, policy(func(p *cacheaside.Policy) {
			p.SourceConcurrency, p.MaxOverduePerKey, p.AdmissionWait = 2, 2, 50*time.Millisecond
		}))
		for round := range 50 {
			// Half of the rounds give the permits back in the very moment in which the waits end.
			held := crowdOfKeys(2, r, "held", after(50*time.Millisecond+time.Duration(round%2)*450*time.Millisecond, cacheaside.Loaded("value", "")))
			synctest.Wait()
			crowdOfKeys(10, r, "queued", returning(cacheaside.Loaded("value", ""))).each(func(o outcome) {
				if o.err != nil || round%2 == 1 {
					wantRejected(t, o, cacheaside.ReasonAdmissionTimeout)
				}
			})
			held.each(func(o outcome) { wantValue(t, o, cacheaside.StatusLoaded, "value") })
			wantAtRest(t, r, 2)
		}
	})
}

// TestC26_AWaiterWhoLeftTheHeadOfTheQueueKeepsNobodyAsleep is the region's side of what the bulkhead promises.
func TestC26_AWaiterWhoLeftTheHeadOfTheQueueKeepsNobodyAsleep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRegion(t, &scripted{}, policy(func(p *cacheaside.Policy) {
			p.SourceConcurrency, p.MaxOverduePerKey, p.AdmissionWait = 1, 1, time.Second
		}))
		holder := goGet(context.Background(), r, "held", after(80*time.Millisecond, cacheaside.Loaded("value", "")))
		synctest.Wait()
		first := goGet(leavingAfter(t, 50*time.Millisecond), r, "first", mustNotLoad(t))
		synctest.Wait()
		second := goGet(context.Background(), r, "second", returning(cacheaside.Loaded("value", "")))
		wantCancelled(t, <-first, context.DeadlineExceeded)
		o := <-second
		wantValue(t, o, cacheaside.StatusLoaded, "value")
		if o.took != 80*time.Millisecond {
			t.Fatalf("the second waiter loaded after %v, the permit was free after 80ms", o.took)
		}
		wantValue(t, <-holder, cacheaside.StatusLoaded, "value")
		wantAtRest(t, r, 1)
	})
}

// forgetful is a cache that keeps nothing at all.
type forgetful struct{}

func (forgetful) Lookup(context.Context, string) cacheaside.Lookup[string] { return missing() }

func (forgetful) Record(context.Context, string, cacheaside.Entry[string], cacheaside.Condition) cacheaside.RecordOutcome {
	return cacheaside.RecordOutcome{Certainty: cacheaside.RecordApplied}
}

// TestC17_TheBooksDoNotGrowWithTheNumberOfKeys sends two hundred thousand keys through, a third of which load, fail and panic. Under the race
// detector, and in short runs, a tenth has to do.
func TestC17_TheBooksDoNotGrowWithTheNumberOfKeys(t *testing.T) {
	keys := 200_000
	if underRace || testing.Short() {
		keys = 20_000
	}
	const allowed = 5 << 20
	// With long limits, so that a timer that nobody stopped shows as well.
	r := newRegion(t, forgetful{}, policy(func(p *cacheaside.Policy) {
		p.AdmissionWait, p.LoadDeadline, p.RecordWait, p.FailureBackoff = time.Hour, time.Hour, time.Hour, time.Hour
	}))
	loads := []cacheaside.Loader[string, string]{
		returning(cacheaside.Loaded("value", "")),
		returning(cacheaside.Unclassified[string](errDriver)),
		func(context.Context, string) cacheaside.SourceOutcome[string] { panic("boom") },
	}
	send := func(prefix string, n int) {
		for i := range n {
			o := get(context.Background(), r, prefix+strconv.Itoa(i), loads[i%len(loads)])
			if well := i%len(loads) == 0; well != (o.err == nil && o.panicked == nil) {
				t.Fatalf("call %d: %v, %v, panic %v", i, o.result.Status, o.err, o.panicked)
			}
		}
	}
	send("warm ", 300)
	before := heap()
	send("key ", keys)
	if grown := int64(heap()) - int64(before); grown > allowed {
		t.Errorf("the heap grew by %d bytes over %d keys", grown, keys)
	}
	if s := r.Stats(); s.InFlightKeys+s.RunningLoads+s.Waiters+s.RememberedFailures != 0 {
		t.Errorf("left in the books: %+v", s)
	}
}

// document is a value that callers could change.
type document struct {
	tags []string
	m    map[string]int
}

func (d *document) clone() *document {
	c := &document{tags: append([]string(nil), d.tags...), m: map[string]int{}}
	for k, v := range d.m {
		c.m[k] = v
	}
	return c
}

// shelf is a cache of one document, which it hands out as it is.
type shelf struct {
	mu    sync.Mutex
	value *document
}

func (s *shelf) Lookup(context.Context, string) cacheaside.Lookup[*document] {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.value == nil {
		return cacheaside.Lookup[*document]{Kind: cacheaside.LookupMiss, Miss: cacheaside.MissAbsent}
	}
	return cacheaside.Lookup[*document]{Kind: cacheaside.LookupFresh, Value: s.value.clone()}
}

func (s *shelf) Record(_ context.Context, _ string, entry cacheaside.Entry[*document], _ cacheaside.Condition) cacheaside.RecordOutcome {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.value = entry.Value.clone()
	return cacheaside.RecordOutcome{Certainty: cacheaside.RecordApplied}
}

// TestC73_ASharedValueIsReadOnlyAndCloneGivesEachCallerItsOwn lets eight callers of one load read the value, and with Clone write into it. The race
// detector is the judge.
func TestC73_ASharedValueIsReadOnlyAndCloneGivesEachCallerItsOwn(t *testing.T) {
	const callers = 8
	for _, cloned := range []bool{false, true} {
		t.Run(map[bool]string{false: "shared and read", true: "cloned and written"}[cloned], func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				cfg := cacheaside.RegionConfig[string, *document]{Name: "test", Cache: &shelf{}, Policy: cacheaside.StrictPolicy()}
				if cloned {
					cfg.Clone = (*document).clone
				}
				r, err := cacheaside.NewRegion(cfg)
				if err != nil {
					t.Fatal(err)
				}
				loaded := &document{tags: make([]string, 1, 100), m: map[string]int{"loaded": 1}}
				load := func(context.Context, string) cacheaside.SourceOutcome[*document] {
					<-time.After(time.Millisecond)
					return cacheaside.Loaded(loaded, "")
				}
				got := make([]*document, callers)
				var all sync.WaitGroup
				for i := range callers {
					all.Go(func() {
						result, err := cacheaside.Get(context.Background(), r, "k", load)
						if err != nil {
							t.Error(err)
							return
						}
						got[i] = result.Value
					})
				}
				all.Wait()
				for i, d := range got {
					if !cloned && d != loaded {
						t.Fatalf("caller %d got a copy that nobody asked for", i)
					}
					// Before anybody writes: two goroutines in one map end the process, and no assertion would tell of it.
					if cloned && (d == loaded || slices.Contains(got[:i], d)) {
						t.Fatalf("caller %d has no copy of its own", i)
					}
				}
				if cloned {
					for i, d := range got {
						all.Go(func() {
							d.tags = append(d.tags, strconv.Itoa(i))
							d.m[strconv.Itoa(i)] = 1
						})
					}
					all.Wait()
					for i, d := range got {
						if len(d.tags) != 2 || d.tags[1] != strconv.Itoa(i) || len(d.m) != 2 {
							t.Fatalf("caller %d sees %+v", i, d)
						}
					}
				}
				hit, err := cacheaside.Get(context.Background(), r, "k", load)
				if err != nil || hit.Status != cacheaside.StatusFresh || len(hit.Value.tags) != 1 || len(hit.Value.m) != 1 {
					t.Fatalf("the later hit is %+v, %v", hit.Value, err)
				}
				if err := r.Close(context.Background()); err != nil {
					t.Fatal(err)
				}
			})
		})
	}
}
