package redisadapter_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/redisadapter"
)

type (
	accountByNumber struct{ ID int64 }
	accountByText   struct{ ID string }
	accountOld      struct {
		ID   int64
		Role string
	}
	accountRenamed struct {
		ID       int64
		UserRole string
	}
	accountGrown struct {
		ID    int64
		Role  string
		Limit int
	}
)

// wantAnotherShape records a value of one type and wants it refused, with its bytes untouched, by a reader of another; the reader then replaces it.
func wantAnotherShape[Old, New any](t *testing.T, client *redis.Client, before Old, after New, schema uint32) {
	t.Helper()
	ctx := context.Background()
	client.FlushAll(ctx)
	writer := open(t, client, configOf[Old]("user"))
	cfg := configOf[New]("user")
	cfg.PayloadSchema = schema
	reader := open(t, client, cfg)
	mustApply(t, writer.Record(ctx, "k", value(before), ifAbsent))
	key := onlyKey(t, client)
	stored := bytesAt(t, client, key)
	for range 3 {
		wantEntry(t, reader.Lookup(ctx, "k"), cacheaside.EntryPayload)
	}
	if bytesAt(t, client, key) != stored {
		t.Error("a lookup changed the bytes")
	}
	got := reader.Lookup(ctx, "k")
	mustApply(t, reader.Record(ctx, "k", value(after), ifObserved(got.Observation)))
	wantKind(t, reader.Lookup(ctx, "k"), cacheaside.LookupFresh)
	wantEntry(t, writer.Lookup(ctx, "k"), cacheaside.EntryPayload)
}

func TestC75_ARetypedFieldIsAnotherShape(t *testing.T) {
	_, client := started(t)
	wantAnotherShape(t, client, accountByNumber{7}, accountByText{"7"}, 0)
	wantAnotherShape(t, client, accountByNumber{7}, accountByText{"7"}, 2)
}

func TestC77_ARenamedAddedOrRemovedFieldIsAnotherShapeWhateverTheUsersNumber(t *testing.T) {
	_, client := started(t)
	for _, schema := range []uint32{0, 2} {
		wantAnotherShape(t, client, accountOld{7, "admin"}, accountRenamed{7, "admin"}, schema)
		wantAnotherShape(t, client, accountOld{7, "admin"}, accountGrown{7, "admin", 3}, schema)
		wantAnotherShape(t, client, accountGrown{7, "admin", 3}, accountOld{7, "admin"}, schema)
	}
}

func TestTheUsersNumberAloneMakesAnotherShape(t *testing.T) {
	_, client := started(t)
	wantAnotherShape(t, client, accountOld{7, "admin"}, accountOld{7, "admin"}, 1)
}

func TestC78_AnotherVersionIsToldFromDamageAndNeverOverwrittenByChance(t *testing.T) {
	_, client := started(t)
	c := open(t, client, patient(base()))
	ctx := context.Background()
	mustApply(t, c.Record(ctx, "k", value("v"), ifAbsent))
	key := onlyKey(t, client)
	for version, want := range map[byte]cacheaside.EntryKind{
		1: cacheaside.EntryRetired, 0: cacheaside.EntryFuture, 3: cacheaside.EntryFuture, 255: cacheaside.EntryFuture,
	} {
		raw := string(redisadapter.Seal(base(), key, append([]byte{'C', 'A', version}, "whatever it holds"...)))
		put(t, client, key, raw)
		got := wantEntry(t, c.Lookup(ctx, "k"), want)
		wantOutcome(t, c.Record(ctx, "k", value("w"), ifAbsent), cacheaside.RecordNotApplied, cacheaside.RecordConditionFailed)
		if bytesAt(t, client, key) != raw {
			t.Errorf("version %d: the bytes were touched", version)
		}
		// Quarantine replaces exactly what was observed.
		put(t, client, key, string(redisadapter.Seal(base(), key, append([]byte{'C', 'A', version}, "another"...))))
		wantOutcome(t, c.Record(ctx, "k", value("w"), ifObserved(got.Observation)), cacheaside.RecordNotApplied, cacheaside.RecordConditionFailed)
		put(t, client, key, raw)
		mustApply(t, c.Record(ctx, "k", value("w"), ifObserved(got.Observation)))

		damaged := []byte(raw)
		damaged[len(damaged)-1] ^= 1
		put(t, client, key, string(damaged))
		if got := wantEntry(t, c.Lookup(ctx, "k"), cacheaside.EntryCorrupt); got.Observation != "" {
			t.Errorf("version %d with a wrong digest has an observation", version)
		}
	}
}

func TestC78_ReplacingEachOthersEntriesTakesOneLoadEach(t *testing.T) {
	_, client := started(t)
	ctx := context.Background()
	cfg := patient(base())
	a := open(t, client, cfg)
	cfg.PayloadSchema = 2
	b := open(t, client, cfg)
	mustApply(t, a.Record(ctx, "k", value("v"), ifAbsent))
	loads := 0
	for i := range 20 {
		c := []*redisadapter.Cache[string, string]{a, b}[i%2]
		if got := c.Lookup(ctx, "k"); got.Kind == cacheaside.LookupUnusable {
			loads++
			mustApply(t, c.Record(ctx, "k", value("v"), ifObserved(got.Observation)))
		}
	}
	if loads > 19 {
		t.Errorf("%d loads", loads)
	}
}

func TestC95_TwoRegionsWithTheSameKeyTextNeverMix(t *testing.T) {
	_, client := started(t)
	ctx := context.Background()
	users, counts := open(t, client, configOf[accountOld]("users")), open(t, client, configOf[int64]("counts"))
	var wg sync.WaitGroup
	for range 32 {
		wg.Go(func() { users.Record(ctx, "7", value(accountOld{7, "admin"}), ifAbsent) })
		wg.Go(func() { counts.Record(ctx, "7", value(int64(7)), ifAbsent) })
		wg.Go(func() { users.Lookup(ctx, "7") })
		wg.Go(func() { counts.Lookup(ctx, "7") })
	}
	wg.Wait()
	if got := wantKind(t, users.Lookup(ctx, "7"), cacheaside.LookupFresh); got.Value != (accountOld{7, "admin"}) {
		t.Errorf("user %v", got.Value)
	}
	if got := wantKind(t, counts.Lookup(ctx, "7"), cacheaside.LookupFresh); got.Value != 7 {
		t.Errorf("count %v", got.Value)
	}
	// The same region with another type, in this process or another one.
	wantEntry(t, open(t, client, configOf[accountByText]("users")).Lookup(ctx, "7"), cacheaside.EntryPayload)
	if strings.Contains(strings.Join(client.Keys(ctx, "*").Val(), " "), "7:") {
		t.Error("key text in a name")
	}
}
