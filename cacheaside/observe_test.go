package cacheaside_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

// notebook remembers every event.
type notebook struct {
	mu     sync.Mutex
	events []cacheaside.Event
}

func (n *notebook) Observe(event cacheaside.Event) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.events = append(n.events, event)
}

func (n *notebook) of(kind cacheaside.EventKind) (found []cacheaside.Event) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, event := range n.events {
		if event.Kind == kind {
			found = append(found, event)
		}
	}
	return found
}

func observed(by cacheaside.Observer) func(*cacheaside.RegionConfig[string, string]) {
	return func(cfg *cacheaside.RegionConfig[string, string]) { cfg.Observer = by }
}

func TestAReadIsToldInEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		seen := &notebook{}
		region := newRegion(t, &scripted{}, observed(seen))
		get(context.Background(), region, "key", after(70*time.Millisecond, cacheaside.Loaded("value", "")))
		want := []cacheaside.Event{
			{Kind: cacheaside.EventLoad, Region: "test", Source: cacheaside.SourceLoaded, Duration: 70 * time.Millisecond},
			{Kind: cacheaside.EventRecord, Region: "test", Certainty: cacheaside.RecordApplied},
			{
				Kind: cacheaside.EventGet, Region: "test", Status: cacheaside.StatusLoaded, Lookup: cacheaside.LookupMiss, Miss: cacheaside.MissAbsent,
				Certainty: cacheaside.RecordApplied, Duration: 70 * time.Millisecond,
			},
		}
		synctest.Wait()
		for _, event := range want {
			if got := seen.of(event.Kind); len(got) != 1 || got[0] != event {
				t.Errorf("got %+v, want %+v", got, event)
			}
		}
		if err := cacheaside.Invalidate(context.Background(), region, "key"); err != nil {
			t.Fatal(err)
		}
		if got := seen.of(cacheaside.EventInvalidate); len(got) != 1 || got[0].Certainty != cacheaside.RecordApplied {
			t.Errorf("invalidate: %+v", got)
		}
	})
}

func TestOverdueAndLateLoadsAreToldInEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		seen := &notebook{}
		region := newRegion(t, &scripted{}, observed(seen))
		source := newGate(cacheaside.Loaded("late", ""))
		source.ignoresContext = true
		get(context.Background(), region, "key", source.load)
		synctest.Wait()
		if got := seen.of(cacheaside.EventOverdue); len(got) != 1 || got[0].Reason != cacheaside.ReasonLoadDeadline {
			t.Fatalf("overdue: %+v", got)
		}
		close(source.open)
		synctest.Wait()
		if got := seen.of(cacheaside.EventLoad); len(got) != 1 || !got[0].Late || got[0].Source != cacheaside.SourceLoaded {
			t.Fatalf("late load: %+v", got)
		}
		if got := seen.of(cacheaside.EventRecord); len(got) != 1 || !got[0].Late {
			t.Fatalf("late record: %+v", got)
		}
	})
}

func TestAPanicThatNoCallerIsLeftToReceiveGoesToTheObserver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		seen := &notebook{}
		region := newRegion(t, &scripted{}, observed(seen))
		ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
		defer cancel()
		o := get(ctx, region, "key", func(context.Context, string) cacheaside.SourceOutcome[string] {
			<-time.After(10 * time.Millisecond)
			panic("secret of the panic")
		})
		if o.result.Status != cacheaside.StatusCancelled || o.panicked != nil {
			t.Fatalf("got %v, panic %v", o.result.Status, o.panicked)
		}
		<-time.After(20 * time.Millisecond)
		synctest.Wait()
		told := 0
		for _, event := range seen.of(cacheaside.EventLoad) {
			if event.Source == cacheaside.SourcePanicked && strings.Contains(event.Stack, "observe_test.go") {
				told++
			}
			if strings.Contains(fmt.Sprintf("%+v", event), "secret of the panic") {
				t.Error("an event holds the value of a panic")
			}
		}
		if told != 1 {
			t.Fatalf("told %d times with a stack", told)
		}
	})
}

func TestAnObserverThatPanicsHurtsNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		region := newRegion(t, &scripted{}, observed(cacheaside.ObserverFunc(func(cacheaside.Event) { panic("hook") })))
		for range 3 {
			wantValue(t, get(context.Background(), region, "key", returning(cacheaside.Loaded("value", ""))), cacheaside.StatusLoaded, "value")
		}
		wantAtRest(t, region, 16)
	})
}

func TestAnObserverMayCallTheRegion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var region *cacheaside.Region[string, string]
		calls := 0
		region = newRegion(t, &scripted{}, observed(cacheaside.ObserverFunc(func(event cacheaside.Event) {
			if region != nil && event.Kind == cacheaside.EventLoad {
				calls++
				region.Stats()
			}
		})))
		wantValue(t, get(context.Background(), region, "key", returning(cacheaside.Loaded("value", ""))), cacheaside.StatusLoaded, "value")
		synctest.Wait()
		if calls != 1 {
			t.Fatalf("%d calls", calls)
		}
	})
}

func TestC119_LabelsStayBoundedWhateverKeysAndCodesAndErrorsComeBy(t *testing.T) {
	t.Parallel()
	seen := &notebook{}
	region := newRegion(t, &scripted{}, observed(seen))
	for i := range 2500 {
		number := strconv.Itoa(i)
		var out cacheaside.SourceOutcome[string]
		switch i % 5 {
		case 0:
			out = cacheaside.TransientFailure[string]("code-"+strconv.Itoa(i/5), errors.New("text "+number))
		case 1:
			out = cacheaside.Unclassified[string](errors.New("message " + number))
		case 2:
			out = cacheaside.AuthoritativeAbsent[string]("reason-"+strconv.Itoa(i/5), "")
		default:
			out = cacheaside.Loaded("value "+number, "")
		}
		get(context.Background(), region, "key "+number, returning(out))
	}
	if err := region.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	labels := map[cacheaside.Event]int{}
	codes := map[string]int{}
	for _, event := range seen.events {
		event.Duration = 0
		labels[event]++
		codes[event.Code]++
	}
	if len(labels) > 64 {
		t.Errorf("%d label sets", len(labels))
	}
	if len(codes) != 34 || codes["other"] == 0 { // 32 names, "other", and none
		t.Errorf("%d codes, %d of them other", len(codes), codes["other"])
	}
}

func TestC123_AReasonOrCodeUnfitForALogLineIsFolded(t *testing.T) {
	t.Parallel()
	seen := &notebook{}
	region := newRegion(t, &scripted{}, observed(seen))
	for _, bad := range []string{"", "x\n{\"level\":\"fatal\"}", "\x1b[31mred", "UPPER", "blank blank", strings.Repeat("x", 65), "ümlaut"} {
		o := get(context.Background(), region, "x\n{\"level\":\"fatal\"}", returning(cacheaside.AuthoritativeAbsent[string](bad, "")))
		var absent *cacheaside.AbsentError
		if !errors.As(o.err, &absent) || absent.Reason != "invalid" || strings.ContainsAny(o.err.Error(), "\n\x1b") {
			t.Errorf("%q: %v", bad, o.err)
		}
		o = get(context.Background(), region, "key", returning(cacheaside.PermanentFailure[string](bad, errDown)))
		var failure *cacheaside.SourceError
		if !errors.As(o.err, &failure) || failure.Code != "invalid" {
			t.Errorf("%q: %v", bad, o.err)
		}
	}
	for _, event := range seen.events {
		if text := fmt.Sprintf("%+v", event); strings.ContainsAny(text, "\n\x1b") || strings.Contains(text, "fatal") {
			t.Errorf("an event of several lines: %q", text)
		}
	}
	if o := get(context.Background(), region, "key", returning(cacheaside.AuthoritativeAbsent[string]("a-z.0_9", ""))); !strings.Contains(o.err.Error(), "a-z.0_9") {
		t.Errorf("a good reason was lost: %v", o.err)
	}
}

func TestNoErrorOrEventHoldsAKeyAValueOrTheTextOfACause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		seen := &notebook{}
		secret := errors.New("SECRETCAUSE")
		cache := &scripted{}
		region := newRegion(t, cache, observed(seen), policy(func(p *cacheaside.Policy) { p.MaxWaitersPerKey, p.FailureBackoff = 0, time.Second }))
		var texts []string
		tell := func(o outcome) {
			if o.err != nil {
				texts = append(texts, o.err.Error())
			}
			if thrown, ok := o.panicked.(*cacheaside.LoaderPanic); ok {
				texts = append(texts, thrown.Error())
			}
		}
		ctx := context.Background()
		for _, load := range []cacheaside.Loader[string, string]{
			returning(cacheaside.Loaded("SECRETVALUE", "SECRETREVISION")),
			returning(cacheaside.AuthoritativeAbsent[string]("SECRET REASON", "")),
			returning(cacheaside.PermanentFailure[string]("denied", secret)),
			returning(cacheaside.Cancelled[string](secret)),
			func(context.Context, string) cacheaside.SourceOutcome[string] { panic("SECRETPANIC") },
			func(context.Context, string) cacheaside.SourceOutcome[string] { runtime.Goexit(); panic("") },
			func(ctx context.Context, _ string) cacheaside.SourceOutcome[string] {
				<-ctx.Done()
				return cacheaside.Unclassified[string](secret)
			},
			returning(cacheaside.TransientFailure[string]("down", secret)),
			returning(cacheaside.TransientFailure[string]("down", secret)), // in its backoff
		} {
			tell(get(ctx, region, "SECRETKEY", load))
		}
		for _, kind := range []cacheaside.EntryKind{cacheaside.EntryCorrupt, cacheaside.EntryFuture} {
			cache.lookup = always(unusable(kind, "SECRETOBSERVATION"))
			tell(get(ctx, region, "SECRETKEY", mustNotLoad(t)))
		}
		cache.invalidate = func(context.Context, string) cacheaside.RecordOutcome {
			return cacheaside.RecordOutcome{Certainty: cacheaside.RecordIndeterminate, Err: secret}
		}
		texts = append(texts, cacheaside.Invalidate(ctx, region, "SECRETKEY").Error())
		synctest.Wait()
		for _, event := range seen.events {
			event.Stack = "" // a stack names functions, which here are tests of secrets
			texts = append(texts, fmt.Sprintf("%+v", event))
		}
		for _, text := range texts {
			if strings.Contains(text, "SECRET") {
				t.Errorf("told: %s", text)
			}
		}
		if len(texts) < 20 {
			t.Fatalf("only %d texts were looked at", len(texts))
		}
	})
}

// lived is a cache that tells its lifetimes.
type lived struct {
	scripted
	lives cacheaside.Lifetimes
}

func (l *lived) Lifetimes() cacheaside.Lifetimes { return l.lives }

func TestLivesThatALateFillCouldOutliveAreWarnedOf(t *testing.T) {
	t.Parallel()
	// Strict: 100 ms lookup + 100 ms admission + 2 x 1 s load + 250 ms record.
	longest := 2450 * time.Millisecond
	for _, row := range []struct {
		entry, tombstone time.Duration
		codes            []string
	}{
		{longest + 1, longest + 1, nil},
		{longest, longest + 1, []string{"min_hard_too_short"}},
		{longest + 1, longest, []string{"tombstone_too_short"}},
		{time.Second, time.Second, []string{"min_hard_too_short", "tombstone_too_short"}},
		{0, 0, nil},
	} {
		seen := &notebook{}
		newRegion(t, &lived{lives: cacheaside.Lifetimes{
			MinHard: row.entry, Tombstone: row.tombstone, Lookup: 100 * time.Millisecond, Record: 250 * time.Millisecond,
		}}, func(cfg *cacheaside.RegionConfig[string, string]) { cfg.Observer = seen })
		warnings := seen.of(cacheaside.EventWarning)
		if len(warnings) != len(row.codes) {
			t.Errorf("%v, %v: %+v", row.entry, row.tombstone, warnings)
			continue
		}
		for i, code := range row.codes {
			if warnings[i].Code != code {
				t.Errorf("%v, %v: %+v", row.entry, row.tombstone, warnings)
			}
		}
	}
}

func TestAnObserverThatBlocksOnARecordHoldsNoCallerBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		region := newRegion(t, &scripted{}, observed(cacheaside.ObserverFunc(func(event cacheaside.Event) {
			if event.Kind == cacheaside.EventRecord || event.Kind == cacheaside.EventLoad {
				<-release
			}
		})))
		o := get(context.Background(), region, "key", returning(cacheaside.Loaded("value", "")))
		wantValue(t, o, cacheaside.StatusLoaded, "value")
		if o.took != 0 || o.result.Record.Certainty != cacheaside.RecordApplied {
			t.Fatalf("answered after %v with %+v", o.took, o.result.Record)
		}
		close(release)
	})
}
