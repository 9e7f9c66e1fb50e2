package cacheaside_test

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

func TestEachBoundHasItsOwnTypedReasonAndStartsNoLoad(t *testing.T) {
	t.Parallel()
	for _, reason := range []cacheaside.Reason{
		cacheaside.ReasonKeysFull, cacheaside.ReasonWaitersFull, cacheaside.ReasonAdmissionTimeout, cacheaside.ReasonLoadDeadline,
		cacheaside.ReasonOverdue, cacheaside.ReasonClosed,
	} {
		t.Run(reason.String(), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				region, _ := bounded(t, cacheaside.StaleRules{})
				o := meet(t, region, reason)
				wantRejected(t, o, reason)
				want := map[cacheaside.Reason]time.Duration{
					cacheaside.ReasonAdmissionTimeout: 100 * time.Millisecond, cacheaside.ReasonLoadDeadline: time.Second,
				}[reason]
				if o.took != want {
					t.Errorf("refused after %v, want %v", o.took, want)
				}
				if stats := region.Stats(); stats.ByReason[reason] == 0 || stats.ByStatus[cacheaside.StatusRejected] == 0 {
					t.Errorf("not counted: %+v", stats)
				}
			})
		})
	}
}

func TestExactlyMaxWaitersPerKeyCallersWaitBesideTheLeader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		region := newRegion(t, &scripted{}, policy(func(p *cacheaside.Policy) { p.MaxWaitersPerKey = 8 }))
		source := newGate(cacheaside.Loaded("value", ""))
		var waiting []<-chan outcome
		for range 101 {
			waiting = append(waiting, goGet(context.Background(), region, "key", source.load))
		}
		synctest.Wait()
		if stats := region.Stats(); stats.Waiters != 8 || stats.ByReason[cacheaside.ReasonWaitersFull] != 92 {
			t.Fatalf("%+v", stats)
		}
		close(source.open)
		loaded := 0
		for _, ended := range waiting {
			o := <-ended
			if o.err == nil {
				loaded++
				continue
			}
			wantRejected(t, o, cacheaside.ReasonWaitersFull)
			if o.took != 0 {
				t.Fatalf("refused after %v", o.took)
			}
		}
		if loaded != 9 {
			t.Fatalf("%d callers got the value", loaded)
		}
		wantAtRest(t, region, 16)
	})
}

func TestExactlyMaxInFlightKeysAreLoadedAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		region := newRegion(t, &scripted{}, policy(func(p *cacheaside.Policy) { p.MaxInFlightKeys, p.SourceConcurrency = 16, 16 }))
		source := newGate(cacheaside.Loaded("value", ""))
		var waiting []<-chan outcome
		for i := range 17 {
			waiting = append(waiting, goGet(context.Background(), region, strconv.Itoa(i), source.load))
			synctest.Wait()
		}
		wantRejected(t, <-waiting[16], cacheaside.ReasonKeysFull)
		close(source.open)
		for _, ended := range waiting[:16] {
			wantValue(t, <-ended, cacheaside.StatusLoaded, "value")
		}
		wantAtRest(t, region, 16)
	})
}

func TestATransientFailureIsRememberedForItsBackoffAndForgottenByItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache := &scripted{}
		hard := time.Now().Add(time.Hour)
		cache.lookup = func(_ context.Context, key string) cacheaside.Lookup[string] {
			if key == "with stale" {
				return stale("old", hard)
			}
			return missing()
		}
		region := newRegion(t, cache, policy(func(p *cacheaside.Policy) {
			p.FailureBackoff, p.MaxInFlightKeys, p.SourceConcurrency, p.MaxOverduePerKey = time.Second, 2, 2, 2
		}))
		failing := returning(cacheaside.TransientFailure[string]("down", errDown))
		if o := get(context.Background(), region, "cold", failing); o.result.Status != cacheaside.StatusFailed {
			t.Fatalf("got %v", o.result.Status)
		}
		wantStale(t, get(context.Background(), region, "with stale", failing), "old")

		o := get(context.Background(), region, "cold", mustNotLoad(t))
		wantRejected(t, o, cacheaside.ReasonSourceBackoff)
		var cause *cacheaside.SourceError
		if !errors.As(o.err, &cause) || cause.Code != "down" || !errors.Is(o.err, errDown) {
			t.Fatalf("the remembered failure is not the cause: %v", o.err)
		}
		wantStale(t, get(context.Background(), region, "with stale", mustNotLoad(t)), "old")
		if stats := region.Stats(); stats.RememberedFailures != 2 {
			t.Fatalf("%+v", stats)
		}

		// No more than MaxInFlightKeys are remembered; the third key is simply asked for again.
		for range 2 {
			if o := get(context.Background(), region, "third", failing); o.result.Status != cacheaside.StatusFailed {
				t.Fatalf("got %v %v", o.result.Status, o.err)
			}
		}
		<-time.After(time.Second)
		synctest.Wait()
		if stats := region.Stats(); stats.RememberedFailures != 0 {
			t.Fatalf("%+v", stats)
		}
		wantValue(t, get(context.Background(), region, "cold", returning(cacheaside.Loaded("back", ""))), cacheaside.StatusLoaded, "back")
	})
}

func TestOnlyATransientFailureIsRemembered(t *testing.T) {
	t.Parallel()
	for name, load := range map[string]cacheaside.Loader[string, string]{
		"permanent":    returning(cacheaside.PermanentFailure[string]("denied", errDown)),
		"unclassified": returning(cacheaside.Unclassified[string](errDown)),
		"cancelled":    returning(cacheaside.Cancelled[string](errDown)),
		"none":         returning(cacheaside.SourceOutcome[string]{}),
		"panic":        func(context.Context, string) cacheaside.SourceOutcome[string] { panic("boom") },
		"absent":       returning(cacheaside.AuthoritativeAbsent[string]("gone", "")),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			region := newRegion(t, &scripted{}, policy(func(p *cacheaside.Policy) { p.FailureBackoff = time.Hour }))
			get(context.Background(), region, "key", load)
			wantValue(t, get(context.Background(), region, "key", returning(cacheaside.Loaded("value", ""))), cacheaside.StatusLoaded, "value")
		})
	}
}

func TestBadArgumentsAreTypedErrorsAndNeverPanics(t *testing.T) {
	t.Parallel()
	cache := &scripted{}
	region := newRegion(t, cache)
	done, cancel := context.WithCancelCause(context.Background())
	because := errors.New("the user left")
	cancel(because)
	var none context.Context
	load := mustNotLoad(t)
	for _, row := range []struct {
		name, field string
		call        func() error
	}{
		{"nil context", "ctx", func() error { _, err := cacheaside.Get(none, region, "key", load); return err }},
		{"nil region", "region", func() error {
			_, err := cacheaside.Get[string, string](context.Background(), nil, "key", load)
			return err
		}},
		{"zero region", "region", func() error {
			_, err := cacheaside.Get(context.Background(), new(cacheaside.Region[string, string]), "key", load)
			return err
		}},
		{"nil loader", "load", func() error { _, err := cacheaside.Get(context.Background(), region, "key", nil); return err }},
		{"nil read", "load", func() error { _, err := cacheaside.Read(context.Background(), region, "key", nil); return err }},
		{"bound to nothing", "region", func() error {
			_, err := cacheaside.Bind[string, string](nil, load).Get(context.Background(), "key")
			return err
		}},
		{"empty key", "key", func() error { _, err := cacheaside.Get(context.Background(), region, "", load); return err }},
		{"overlong key", "key", func() error {
			_, err := cacheaside.Get(context.Background(), region, strings.Repeat("k", cacheaside.MaxKeyBytes+1), load)
			return err
		}},
		{"invalidate nil region", "region", func() error { return cacheaside.Invalidate[string, string](context.Background(), nil, "key") }},
		{"invalidate empty key", "key", func() error { return cacheaside.Invalidate(context.Background(), region, "") }},
		{"invalidate nil context", "ctx", func() error { return cacheaside.Invalidate(none, region, "key") }},
		{"close nil context", "ctx", func() error { return region.Close(none) }},
	} {
		var fault *cacheaside.FieldError
		if err := row.call(); !errors.As(err, &fault) || fault.Field != row.field || fault.Rule == "" {
			t.Errorf("%s: %v", row.name, err)
		}
	}
	o := get(done, region, "key", load)
	if o.result.Status != cacheaside.StatusCancelled || !errors.Is(o.err, context.Canceled) || !errors.Is(o.err, because) {
		t.Errorf("a done context: %v, %v", o.result.Status, o.err)
	}
	if err := cacheaside.Invalidate(done, region, "key"); !errors.Is(err, context.Canceled) || !errors.Is(err, because) {
		t.Errorf("invalidating with a done context: %v", err)
	}
	if cache.lookedUp() != 0 || len(cache.records()) != 0 {
		t.Errorf("a bad call reached the cache")
	}
}

func TestAKeyWhoseCanonicalTextIsEmptyIsRefusedOnTheWayToTheSource(t *testing.T) {
	t.Parallel()
	region, err := cacheaside.NewRegion(cacheaside.RegionConfig[int, string]{
		Name: "numbers", Cache: intCache{}, Policy: cacheaside.StrictPolicy(), KeyString: func(int) string { return "" },
	})
	if err != nil {
		t.Fatal(err)
	}
	var fault *cacheaside.FieldError
	_, err = cacheaside.Get(context.Background(), region, 7, func(context.Context, int) cacheaside.SourceOutcome[string] {
		t.Error("the source was called")
		return cacheaside.Loaded("", "")
	})
	if !errors.As(err, &fault) || fault.Field != "key" {
		t.Fatalf("got %v", err)
	}
}

type intCache struct{}

func (intCache) Lookup(context.Context, int) cacheaside.Lookup[string] { return missing() }

func (intCache) Record(context.Context, int, cacheaside.Entry[string], cacheaside.Condition) cacheaside.RecordOutcome {
	return cacheaside.RecordOutcome{Certainty: cacheaside.RecordApplied}
}
