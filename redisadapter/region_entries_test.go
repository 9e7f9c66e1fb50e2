package redisadapter_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/redisadapter"
)

// planted is a region whose key holds bytes that somebody else left there, and the bytes.
type planted struct {
	name  string
	kind  cacheaside.EntryKind
	plant func(t testing.TB, client *redis.Client, cfg config, physical string)
}

func sealedWith(head string) func(testing.TB, *redis.Client, config, string) {
	return func(t testing.TB, client *redis.Client, cfg config, physical string) {
		put(t, client, physical, string(redisadapter.Seal(cfg, physical, []byte(head))))
	}
}

func plantings() []planted {
	return []planted{
		{"version 1", cacheaside.EntryRetired, sealedWith("CA\x01 whatever it was")},
		{"version 0", cacheaside.EntryFuture, sealedWith("CA\x00 whatever it is")},
		{"version 3", cacheaside.EntryFuture, sealedWith("CA\x03 whatever it will be")},
		{"version 255", cacheaside.EntryFuture, sealedWith("CA\xff")},
		{"another shape", cacheaside.EntryPayload, func(t testing.TB, client *redis.Client, cfg config, _ string) {
			other := redisadapter.Config[string, int64]{
				Namespace: cfg.Namespace, Region: cfg.Region, Secret: cfg.Secret, TTL: cfg.TTL, LookupTimeout: cfg.LookupTimeout, RecordTimeout: cfg.RecordTimeout,
			}
			mustApply(t, open(t, client, other).Record(context.Background(), "key", cacheaside.Entry[int64]{Value: 7}, ifAbsent))
		}},
		{"bytes of nobody", cacheaside.EntryCorrupt, func(t testing.TB, client *redis.Client, _ config, physical string) {
			put(t, client, physical, "bytes of nobody, but long enough to be an entry")
		}},
		{"wrong magic, well sealed", cacheaside.EntryCorrupt, sealedWith("XX\x02 no entry")},
		{"more than may be read", cacheaside.EntryOversize, func(t testing.TB, client *redis.Client, _ config, physical string) {
			put(t, client, physical, string(make([]byte, 2<<20)))
		}},
		{"a list", cacheaside.EntryForeign, func(t testing.TB, client *redis.Client, _ config, physical string) {
			client.RPush(context.Background(), physical, "a", "b", "c")
		}},
	}
}

// dump is what is stored, of any type.
func dump(t testing.TB, client *redis.Client, key string) string {
	t.Helper()
	raw, err := client.Dump(context.Background(), key).Result()
	if err != nil {
		t.Fatalf("DUMP: %v", err)
	}
	return raw
}

// physicalKey learns where the key's entry lives, and leaves the place empty.
func physicalKey(t testing.TB, client *redis.Client, cfg config) string {
	t.Helper()
	mustApply(t, open(t, client, cfg).Record(context.Background(), "key", value("v"), ifAbsent))
	physical := onlyKey(t, client)
	client.FlushAll(context.Background())
	return physical
}

func TestEveryUnusableEntryFailsFastIsOfItsKindAndIsLeftAsItIs(t *testing.T) {
	for _, row := range plantings() {
		t.Run(row.name, func(t *testing.T) {
			_, client := started(t)
			cfg := patient(base())
			physical := physicalKey(t, client, cfg)
			row.plant(t, client, cfg, physical)
			before := dump(t, client, physical)
			r := region(t, client, cfg)
			for range 3 {
				result, err := cacheaside.Get(context.Background(), r, "key", notCalled(t))
				var unusable *cacheaside.EntryError
				if !errors.As(err, &unusable) || unusable.Kind != row.kind || result.Status != cacheaside.StatusFailed || result.Value != "" {
					t.Fatalf("got %v, %v; want %v", result.Status, err, row.kind)
				}
			}
			if dump(t, client, physical) != before {
				t.Fatal("the entry was changed")
			}
		})
	}
}

func TestUnderTheSurvivePolicyOldEntriesAreReplacedAndAllOthersLoadedAround(t *testing.T) {
	for _, row := range plantings() {
		t.Run(row.name, func(t *testing.T) {
			_, client := started(t)
			cfg := patient(base())
			physical := physicalKey(t, client, cfg)
			row.plant(t, client, cfg, physical)
			before := dump(t, client, physical)
			r := region(t, client, cfg, func(of *cacheaside.RegionConfig[string, string]) { of.Policy = cacheaside.SurvivePolicy() })
			result := read(t, r, "key", newSource(loads("new")).load, cacheaside.StatusLoaded, "new")
			if row.kind == cacheaside.EntryRetired || row.kind == cacheaside.EntryPayload {
				if result.Record.Certainty != cacheaside.RecordApplied {
					t.Fatalf("record %v %v %v", result.Record.Certainty, result.Record.Reason, result.Record.Err)
				}
				read(t, r, "key", notCalled(t), cacheaside.StatusFresh, "new")
				return
			}
			if result.Record.Certainty != cacheaside.RecordNone || dump(t, client, physical) != before {
				t.Fatalf("record %+v; changed %v", result.Record, dump(t, client, physical) != before)
			}
		})
	}
}

func TestAQuarantineReplacesExactlyTheObservedBytes(t *testing.T) {
	_, client := started(t)
	cfg := patient(base())
	physical := physicalKey(t, client, cfg)
	sealedWith("CA\x01 first")(t, client, cfg, physical)
	r := region(t, client, cfg, withPolicy(func(p *cacheaside.Policy) { p.Incompatible = cacheaside.QuarantineAndReload }))
	for name, other := range map[string]string{"other old bytes": "CA\x01 second", "a future version": "CA\x03 future"} {
		t.Run(name, func(t *testing.T) {
			sealedWith("CA\x01 first")(t, client, cfg, physical)
			late := hold(loads("new"))
			ended := late.begin(r, "key")
			sealedWith(other)(t, client, cfg, physical)
			there := dump(t, client, physical)
			close(late.finish)
			if result := <-ended; result.Value != "new" || result.Record.Certainty != cacheaside.RecordNotApplied || result.Record.Reason != cacheaside.RecordConditionFailed {
				t.Fatalf("got %+v", result)
			}
			if dump(t, client, physical) != there {
				t.Fatal("bytes that were not observed were replaced")
			}
		})
	}
}

func TestC84_ACorruptEntryFailsUntilItIsReplacedOrExpires(t *testing.T) {
	_, client := started(t)
	cfg := patient(base())
	physical := physicalKey(t, client, cfg)
	mustApply(t, open(t, client, cfg).Record(context.Background(), "key", value("good"), ifAbsent))
	good := bytesAt(t, client, physical)
	put(t, client, physical, good[:len(good)-1]+"?")
	r := region(t, client, cfg)
	for range 5 {
		if _, err := cacheaside.Get(context.Background(), r, "key", notCalled(t)); !errors.Is(err, cacheaside.ErrCorruptEntry) {
			t.Fatalf("got %v", err)
		}
	}
	put(t, client, physical, good)
	read(t, r, "key", notCalled(t), cacheaside.StatusFresh, "good")
	client.PExpire(context.Background(), physical, time.Millisecond)
	if err := waitFor(t, func() bool { return client.Exists(context.Background(), physical).Val() == 0 }); err != nil {
		t.Fatal(err)
	}
	read(t, r, "key", newSource(loads("new")).load, cacheaside.StatusLoaded, "new")
}

func TestC75_ARetypedFieldFailsFastOrIsReloadedOnce(t *testing.T) {
	type before struct{ ID int64 }
	type after struct{ ID string }
	_, client := started(t)
	old := redisadapter.Config[string, before]{Namespace: "test", Region: "user", Secret: base().Secret, TTL: base().TTL}
	old.LookupTimeout, old.RecordTimeout = 10*time.Second, 10*time.Second
	mustApply(t, open(t, client, old).Record(context.Background(), "key", cacheaside.Entry[before]{Value: before{7}}, ifAbsent))
	raw := bytesAt(t, client, onlyKey(t, client))
	renewed := redisadapter.Config[string, after]{Namespace: "test", Region: "user", Secret: base().Secret, TTL: base().TTL, PayloadSchema: 2}
	renewed.LookupTimeout, renewed.RecordTimeout = 10*time.Second, 10*time.Second
	cache := open(t, client, renewed)
	for _, action := range []cacheaside.EntryAction{cacheaside.FailFast, cacheaside.QuarantineAndReload} {
		policy := cacheaside.SurvivePolicy()
		policy.Incompatible = action
		r, err := cacheaside.NewRegion(cacheaside.RegionConfig[string, after]{Name: "user", Cache: cache, Policy: policy})
		if err != nil {
			t.Fatal(err)
		}
		var callers sync.WaitGroup
		var mu sync.Mutex
		calls := 0
		for range 50 {
			callers.Go(func() {
				result, err := cacheaside.Get(context.Background(), r, "key", func(context.Context, string) cacheaside.SourceOutcome[after] {
					mu.Lock()
					defer mu.Unlock()
					calls++
					return cacheaside.Loaded(after{"7"}, "")
				})
				if action == cacheaside.FailFast && !errors.Is(err, cacheaside.ErrIncompatibleSchema) ||
					action == cacheaside.QuarantineAndReload && (err != nil || result.Value.ID != "7") {
					t.Errorf("%v: %+v, %v", action, result, err)
				}
			})
		}
		callers.Wait()
		if action == cacheaside.FailFast && (calls != 0 || bytesAt(t, client, onlyKey(t, client)) != raw) {
			t.Errorf("fail fast: %d loads, or the entry was changed", calls)
		}
		if action == cacheaside.QuarantineAndReload && calls != 1 {
			t.Errorf("quarantine: %d loads", calls)
		}
		if err := r.Close(context.Background()); err != nil {
			t.Error(err)
		}
	}
}

func TestC78_OldAndNewBinariesReplaceEachOthersEntriesOnceAReadAtMost(t *testing.T) {
	_, client := started(t)
	one, two := patient(base()), patient(base())
	two.PayloadSchema = 2
	quarantine := withPolicy(func(p *cacheaside.Policy) { p.Incompatible = cacheaside.QuarantineAndReload })
	old, renewed := region(t, client, one, quarantine), region(t, client, two, quarantine)
	s := newSource(loads("value"))
	for range 20 {
		for _, r := range []*cacheaside.Region[string, string]{old, renewed} {
			if result, err := cacheaside.Get(context.Background(), r, "key", s.load); err != nil || result.Value != "value" {
				t.Fatalf("got %+v, %v", result, err)
			}
		}
	}
	if calls := s.calls.Load(); calls > 40 {
		t.Fatalf("%d loads for 40 reads", calls)
	}
}

func TestC95_RegionsWithTheSameKeyTextDoNotMeet(t *testing.T) {
	_, client := started(t)
	texts, counts := patient(base()), redisadapter.Config[string, int64]{
		Namespace: "test", Region: "counts", Secret: base().Secret, TTL: base().TTL, LookupTimeout: 10 * time.Second, RecordTimeout: 10 * time.Second,
	}
	words := region(t, client, texts)
	numbers, err := cacheaside.NewRegion(cacheaside.RegionConfig[string, int64]{
		Name: "counts", Cache: open(t, client, counts), Policy: cacheaside.StrictPolicy(),
	})
	if err != nil {
		t.Fatal(err)
	}
	var callers sync.WaitGroup
	for range 32 {
		callers.Go(func() {
			if result, err := cacheaside.Get(context.Background(), words, "7", newSource(loads("seven")).load); err != nil || result.Value != "seven" {
				t.Errorf("words: %+v, %v", result, err)
			}
		})
		callers.Go(func() {
			result, err := cacheaside.Get(context.Background(), numbers, "7", func(context.Context, string) cacheaside.SourceOutcome[int64] {
				return cacheaside.Loaded[int64](7, "")
			})
			if err != nil || result.Value != 7 {
				t.Errorf("numbers: %+v, %v", result, err)
			}
		})
	}
	callers.Wait()
	if err := numbers.Close(context.Background()); err != nil {
		t.Error(err)
	}
	counts.Region = texts.Region // the same place, another type
	if found := open(t, client, counts).Lookup(context.Background(), "7"); found.Kind != cacheaside.LookupUnusable || found.Entry != cacheaside.EntryPayload {
		t.Fatalf("another type reads %v %v", found.Kind, found.Entry)
	}
}
