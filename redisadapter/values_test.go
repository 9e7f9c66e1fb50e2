package redisadapter_test

import (
	"context"
	"errors"
	"maps"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/internal/redistest"
	"github.com/cacheaside/resilience/redisadapter"
)

func configOf[V any](region string) redisadapter.Config[string, V] {
	return redisadapter.Config[string, V]{
		Namespace: "test", Region: region, Secret: base().Secret, TTL: base().TTL,
		LookupTimeout: 10 * time.Second, RecordTimeout: 10 * time.Second,
	}
}

// wantReadBack records a value and wants it back, equal and fresh.
func wantReadBack[V any](t *testing.T, client redis.UniversalClient, region string, want V) {
	t.Helper()
	c := open(t, client, configOf[V](region))
	ctx := context.Background()
	mustApply(t, c.Record(ctx, "k", value(want), ifAbsent))
	if got := wantKind(t, c.Lookup(ctx, "k"), cacheaside.LookupFresh); !reflect.DeepEqual(got.Value, want) {
		t.Errorf("%s: %#v reads back as %#v", region, want, got.Value)
	}
}

func TestC68_EmptyValuesAreHits(t *testing.T) {
	_, client := started(t)
	wantReadBack(t, client, "string", "")
	wantReadBack(t, client, "bytes", []byte{})
	wantReadBack(t, client, "nil-bytes", []byte(nil))
	wantReadBack(t, client, "struct", struct{}{})
	wantReadBack(t, client, "array", [0]int{})
	wantReadBack(t, client, "map", map[string]int{})
	wantReadBack(t, client, "bool", false)
	wantReadBack(t, client, "int", 0)
	wantReadBack(t, client, "pointer", (*int)(nil))
	wantReadBack(t, client, "time", time.Time{})
}

func TestAnEmptyPayloadOfAUsersCodecIsAHit(t *testing.T) {
	_, client := started(t)
	cfg := configOf[struct{}]("none")
	cfg.Codec = emptyCodec{}
	c := open(t, client, cfg)
	mustApply(t, c.Record(context.Background(), "k", value(struct{}{}), ifAbsent))
	wantKind(t, c.Lookup(context.Background(), "k"), cacheaside.LookupFresh)
}

type emptyCodec struct{}

func (emptyCodec) Append(dst []byte, _ struct{}) ([]byte, error) { return dst, nil }
func (emptyCodec) Decode([]byte, *struct{}) error                { return nil }
func (emptyCodec) Shape() uint32                                 { return 0 }

// textCodec stores a string as its bytes, so that a value's length is the payload's. It fails or panics over some.
type textCodec struct{}

var errText = errors.New("the text S3CRET is refused")

func (textCodec) Append(dst []byte, v string) ([]byte, error) {
	switch v {
	case "fail":
		return nil, errText
	case "panic":
		panic(errText)
	}
	return append(dst, v...), nil
}

func (textCodec) Decode(p []byte, v *string) error {
	switch *v = string(p); *v {
	case "fail later":
		return errText
	case "panic later":
		panic(errText)
	}
	return nil
}

func (textCodec) Shape() uint32 { return 0 }

func textConfig() config {
	cfg := patient(base())
	cfg.Codec = textCodec{}
	return cfg
}

func TestC69_TheLargestPayloadIsExactAndOneByteMoreIsNeverSent(t *testing.T) {
	server := redistest.Start(t, redistest.Options{})
	proxy := redistest.StartProxy(t, server.Addr())
	client := newClient(t, redistest.ClientOptions(proxy.Addr()))
	ctx := context.Background()
	for _, limit := range []int{0, redisadapter.MaxMaxValueBytes, 1000} {
		client.FlushAll(ctx)
		cfg := textConfig()
		mock := mockNow()
		cfg.Clock, cfg.MaxValueBytes = mock, limit
		c := open(t, client, cfg)
		if limit == 0 {
			limit = redisadapter.DefaultMaxValueBytes
		}
		mustApply(t, c.Record(ctx, "k", value("v1"), ifAbsent))
		mock.Add(10 * time.Second)
		stale := wantKind(t, c.Lookup(ctx, "k"), cacheaside.LookupStale)
		stored := bytesAt(t, client, onlyKey(t, client))

		before := proxy.Traffic().FromClients
		for _, condition := range []cacheaside.Condition{ifAbsent, ifObserved(stale.Observation)} {
			out := c.Record(ctx, "k", value(strings.Repeat("x", limit+1)), condition)
			wantOutcome(t, out, cacheaside.RecordNotApplied, cacheaside.RecordTooLarge)
			var fault *cacheaside.FieldError
			if !errors.As(out.Err, &fault) || !strings.Contains(fault.Value, strconv.Itoa(limit+1)) {
				t.Errorf("error %v", out.Err)
			}
		}
		if sent := proxy.Traffic().FromClients - before; sent != 0 {
			t.Errorf("%d bytes were sent for a value over the limit", sent)
		}
		if bytesAt(t, client, onlyKey(t, client)) != stored {
			t.Error("the old entry was touched")
		}
		// The longest revision does not take from the payload.
		most := cacheaside.Entry[string]{Value: strings.Repeat("x", limit), Revision: cacheaside.Revision(strings.Repeat("r", cacheaside.MaxRevisionBytes))}
		mustApply(t, c.Record(ctx, "k", most, ifObserved(stale.Observation)))
		if got := wantKind(t, c.Lookup(ctx, "k"), cacheaside.LookupFresh); got.Value != most.Value || got.Revision != most.Revision {
			t.Errorf("%d bytes read back", len(got.Value))
		}
	}
}

func TestAnEntryOverTheReadersLimitIsOversize(t *testing.T) {
	_, client := started(t)
	ctx := context.Background()
	cfg := textConfig()
	cfg.MaxValueBytes = 2000
	writer := open(t, client, cfg)
	cfg.MaxValueBytes = 1000
	reader := open(t, client, cfg)
	for size, oversize := range map[int]bool{1000: false, 1001: true, 1128: true, 1300: true, 2000: true} {
		client.FlushAll(ctx)
		mustApply(t, writer.Record(ctx, "k", value(strings.Repeat("x", size)), ifAbsent))
		got := reader.Lookup(ctx, "k")
		if (got.Kind == cacheaside.LookupUnusable && got.Entry == cacheaside.EntryOversize) != oversize || got.Observation != "" {
			t.Errorf("%d bytes: %v %v, observation %q", size, got.Kind, got.Entry, got.Observation)
		}
	}
}

func TestARevisionOverItsLengthIsRefusedBeforeItIsSent(t *testing.T) {
	_, client := started(t)
	c := open(t, client, patient(base()))
	out := c.Record(context.Background(), "k", cacheaside.Entry[string]{Value: "v", Revision: cacheaside.Revision(strings.Repeat("S3CRET", 22))}, ifAbsent)
	wantOutcome(t, out, cacheaside.RecordNotApplied, cacheaside.RecordEncodeFailed)
	if strings.Contains(out.Err.Error(), "S3CRET") {
		t.Errorf("error %v", out.Err)
	}
}

func TestACodecThatFailsOrPanicsCostsTheRecordAndNotTheProcess(t *testing.T) {
	_, client := started(t)
	c := open(t, client, textConfig())
	ctx := context.Background()
	for _, text := range []string{"fail", "panic"} {
		out := c.Record(ctx, text, value(text), ifAbsent)
		wantOutcome(t, out, cacheaside.RecordNotApplied, cacheaside.RecordEncodeFailed)
		var failure *redisadapter.EncodeError
		if !errors.As(out.Err, &failure) || strings.Contains(out.Err.Error(), "S3CRET") || text == "fail" && !errors.Is(out.Err, errText) {
			t.Errorf("error %v", out.Err)
		}
	}
	for _, text := range []string{"fail later", "panic later"} {
		mustApply(t, c.Record(ctx, text, value(text), ifAbsent))
		got := wantEntry(t, c.Lookup(ctx, text), cacheaside.EntryPayload)
		if got.Value != "" {
			t.Errorf("value %q", got.Value)
		}
		mustApply(t, c.Record(ctx, text, value("good"), ifObserved(got.Observation)))
	}
}

func TestC72_AnObservationIsOfTheStoredBytesAndNotOfAnEncoding(t *testing.T) {
	_, client := started(t)
	cfg := configOf[map[string]int]("maps")
	mock := mockNow()
	cfg.Clock = mock
	c := open(t, client, cfg)
	ctx := context.Background()
	want := map[string]int{}
	for i := range 20 {
		want[strconv.Itoa(i)] = i
	}
	mustApply(t, c.Record(ctx, "k", value(want), ifAbsent))
	for range 200 {
		mock.Add(10 * time.Second)
		stale := wantKind(t, c.Lookup(ctx, "k"), cacheaside.LookupStale)
		if !maps.Equal(stale.Value, want) {
			t.Fatalf("value %v", stale.Value)
		}
		mustApply(t, c.Record(ctx, "k", value(maps.Clone(want)), ifObserved(stale.Observation)))
	}
}
