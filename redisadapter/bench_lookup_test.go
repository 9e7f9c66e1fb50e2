package redisadapter_test

import (
	"context"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/vmihailenco/msgpack/v5"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/redisadapter"
)

// product is a value of some fields and about the size of its text.
type product struct {
	ID    int64
	Name  string
	Price int64
	Tags  []string
	Text  string
}

func productOf(size int) product {
	return product{ID: 7, Name: "a name of some length", Price: 1999, Tags: []string{"one", "two"}, Text: strings.Repeat("x", max(size-60, 0))}
}

// BenchmarkLookupFresh compares a fresh hit with what it costs at least: a GET and a decode of the same payload. Run it with -count to interleave.
func BenchmarkLookupFresh(b *testing.B) {
	_, client := started(b)
	ctx := context.Background()
	for _, size := range []struct {
		name  string
		bytes int
	}{{"200B", 200}, {"10KB", 10 << 10}} {
		b.Run(size.name, func(b *testing.B) {
			client.FlushAll(ctx)
			want := productOf(size.bytes)
			payload, err := msgpack.Marshal(want)
			if err != nil {
				b.Fatal(err)
			}
			client.Set(ctx, "raw", payload, 0)
			cfg := redisadapter.Config[string, product]{Namespace: "bench", Region: "product", Secret: base().Secret, TTL: base().TTL}
			cfg.TTL.Soft, cfg.TTL.Hard = cfg.TTL.Hard*60, cfg.TTL.Hard*60
			c := open(b, client, cfg)
			mustApply(b, c.Record(ctx, "k", value(want), ifAbsent))
			for range 2 { // twice, so that what the order does to the numbers shows
				b.Run("raw", func(b *testing.B) { benchmarkRaw(b, client) })
				b.Run("lookup", func(b *testing.B) { benchmarkLookup(b, c) })
			}
		})
	}
}

func benchmarkRaw(b *testing.B, client *redis.Client) {
	b.ReportAllocs()
	ctx := context.Background()
	for b.Loop() {
		raw, err := client.Get(ctx, "raw").Bytes()
		if err != nil {
			b.Fatal(err)
		}
		var v product
		if err := msgpack.Unmarshal(raw, &v); err != nil {
			b.Fatal(err)
		}
	}
}

func benchmarkLookup(b *testing.B, c *redisadapter.Cache[string, product]) {
	b.ReportAllocs()
	ctx := context.Background()
	for b.Loop() {
		if got := c.Lookup(ctx, "k"); got.Kind != cacheaside.LookupFresh {
			b.Fatal(got.Kind, got.Err)
		}
	}
}
