package redisadapter_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/redisadapter"
)

// BenchmarkRecord compares writing an entry, and replacing an observed one, with a plain SET NX of as many bytes. The key is made absent, or the entry
// looked up, outside the time that is measured.
func BenchmarkRecord(b *testing.B) {
	_, client := started(b)
	for _, size := range []struct {
		name  string
		bytes int
	}{{"1KiB", 1 << 10}, {"64KiB", 64<<10 - 200}, {"1MiB", 1 << 20}, {"16MiB", 16 << 20}} {
		text := strings.Repeat("x", size.bytes)
		b.Run(size.name+"/plain", func(b *testing.B) { benchmarkPlain(b, client, text) })
		b.Run(size.name+"/absent", func(b *testing.B) { benchmarkAbsent(b, client, text) })
		b.Run(size.name+"/observed", func(b *testing.B) { benchmarkObserved(b, client, text) })
	}
}

func largeConfig() config {
	cfg := textConfig()
	cfg.MaxValueBytes = redisadapter.MaxMaxValueBytes
	cfg.TTL.Soft = time.Millisecond // so that what has been written can be observed
	return cfg
}

func benchmarkPlain(b *testing.B, client *redis.Client, text string) {
	b.ReportAllocs()
	b.SetBytes(int64(len(text)))
	ctx := context.Background()
	for b.Loop() {
		b.StopTimer()
		client.Del(ctx, "k")
		b.StartTimer()
		if ok, err := client.SetNX(ctx, "k", text, time.Minute).Result(); !ok || err != nil {
			b.Fatal(ok, err)
		}
	}
}

func benchmarkAbsent(b *testing.B, client *redis.Client, text string) {
	b.ReportAllocs()
	b.SetBytes(int64(len(text)))
	ctx := context.Background()
	c := open(b, client, largeConfig())
	for b.Loop() {
		b.StopTimer()
		client.FlushDB(ctx)
		b.StartTimer()
		mustApply(b, c.Record(ctx, "k", value(text), ifAbsent))
	}
}

func benchmarkObserved(b *testing.B, client *redis.Client, text string) {
	b.ReportAllocs()
	b.SetBytes(int64(len(text)))
	ctx := context.Background()
	client.FlushDB(ctx)
	mock := mockNow()
	cfg := largeConfig()
	cfg.Clock = mock
	c := open(b, client, cfg)
	mustApply(b, c.Record(ctx, "k", value("old"), ifAbsent))
	for b.Loop() {
		b.StopTimer()
		mock.Set(mock.Now().Add(time.Millisecond))
		seen := ifObserved(wantKind(b, c.Lookup(ctx, "k"), cacheaside.LookupStale).Observation)
		b.StartTimer()
		mustApply(b, c.Record(ctx, "k", value(text), seen))
	}
}
