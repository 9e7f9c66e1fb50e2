package redisadapter_test

import (
	"context"
	"strings"
	"testing"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/internal/redistest"
)

type named struct {
	ID   int64
	Name string
}

func TestC81_TruncatedBytesAreCorruptAtEveryLength(t *testing.T) {
	_, client := started(t)
	c := open(t, client, configOf[named]("named"))
	ctx := context.Background()
	mustApply(t, c.Record(ctx, "k", value(named{7, "x"}), ifAbsent))
	key := onlyKey(t, client)
	raw := bytesAt(t, client, key)
	for n := 1; n < len(raw); n++ {
		for _, damaged := range []string{raw[:n], raw[n:]} {
			put(t, client, key, damaged)
			if got := wantEntry(t, c.Lookup(ctx, "k"), cacheaside.EntryCorrupt); got.Observation != "" {
				t.Fatalf("%d bytes have an observation", len(damaged))
			}
			if bytesAt(t, client, key) != damaged {
				t.Fatalf("%d bytes were touched", len(damaged))
			}
		}
	}
}

func TestC81_APresentEmptyStringReadsAsAMissAndIsNotOverwritten(t *testing.T) {
	_, client := started(t)
	c := open(t, client, patient(base()))
	ctx := context.Background()
	mustApply(t, c.Invalidate(ctx, "k"))
	tombstone := ifObserved(c.Lookup(ctx, "k").Observation)
	key := onlyKey(t, client)
	put(t, client, key, "")
	wantKind(t, c.Lookup(ctx, "k"), cacheaside.LookupMiss)
	large := strings.Repeat("x", 100<<10)
	for _, condition := range []cacheaside.Condition{ifAbsent, tombstone} {
		for _, v := range []string{"v", large} {
			wantOutcome(t, c.Record(ctx, "k", value(v), condition), cacheaside.RecordNotApplied, cacheaside.RecordConditionFailed)
		}
	}
	if bytesAt(t, client, key) != "" {
		t.Error("the empty string was overwritten")
	}
}

func TestEveryFlippedBitIsCorrupt(t *testing.T) {
	_, client := started(t)
	c := open(t, client, configOf[named]("named"))
	ctx := context.Background()
	mustApply(t, c.Record(ctx, "k", value(named{7, "x"}), ifAbsent))
	key := onlyKey(t, client)
	raw := []byte(bytesAt(t, client, key))
	for i := range len(raw) * 8 {
		raw[i/8] ^= 1 << (i % 8)
		put(t, client, key, string(raw))
		wantEntry(t, c.Lookup(ctx, "k"), cacheaside.EntryCorrupt)
		raw[i/8] ^= 1 << (i % 8)
	}
}

func TestC84_ACorruptEntryIsNeverOverwrittenAndHealsWhenGoodBytesCome(t *testing.T) {
	_, client := started(t)
	c := open(t, client, patient(base()))
	ctx := context.Background()
	mustApply(t, c.Record(ctx, "k", value("v"), ifAbsent))
	key := onlyKey(t, client)
	good := bytesAt(t, client, key)
	put(t, client, key, "corrupt")
	for range 10 {
		got := wantEntry(t, c.Lookup(ctx, "k"), cacheaside.EntryCorrupt)
		wantOutcome(t, c.Record(ctx, "k", value("w"), ifObserved(got.Observation)), cacheaside.RecordNotApplied, cacheaside.RecordConditionFailed)
	}
	put(t, client, key, good)
	wantKind(t, c.Lookup(ctx, "k"), cacheaside.LookupFresh)
	client.Del(ctx, key)
	wantKind(t, c.Lookup(ctx, "k"), cacheaside.LookupMiss)
}

func TestC85_BytesOfAnotherKeyOrRegionAreNoHit(t *testing.T) {
	server := redistest.Start(t, redistest.Options{})
	client := server.Client()
	ctx := context.Background()
	a := open(t, client, patient(base()))
	other := patient(base())
	other.Region = "other"
	b := open(t, client, other)
	mustApply(t, a.Record(ctx, "1", value("of 1"), ifAbsent))
	one := onlyKey(t, client)
	two := strings.Replace(one, one[strings.Index(one, "{"):], "", 1) + "{AAAAAAAAAAAAAAAAAAAAAA}:v"
	client.Copy(ctx, one, two, 0, true)
	mustApply(t, a.Record(ctx, "2", value("of 2"), ifAbsent))
	var nameOf2 string
	for _, key := range client.Keys(ctx, "*").Val() {
		if key != one && key != two {
			nameOf2 = key
		}
	}
	client.Copy(ctx, one, nameOf2, 0, true)
	wantEntry(t, a.Lookup(ctx, "2"), cacheaside.EntryCorrupt)
	wantKind(t, a.Lookup(ctx, "1"), cacheaside.LookupFresh)

	client.Rename(ctx, one, strings.Replace(one, ":product:", ":other:", 1))
	wantEntry(t, b.Lookup(ctx, "1"), cacheaside.EntryCorrupt)
	wantKind(t, a.Lookup(ctx, "1"), cacheaside.LookupMiss)

	// Another secret makes another digest, under the same name.
	other = patient(base())
	other.Secret = []byte("another secret of thirty-two bytes")
	c := open(t, client, other)
	mustApply(t, c.Record(ctx, "3", value("of 3"), ifAbsent))
	mustApply(t, a.Record(ctx, "3", value("of 3"), ifAbsent)) // another name
	if n := len(client.Keys(ctx, "test:product:*").Val()); n != 4 {
		t.Errorf("%d names", n)
	}
}
