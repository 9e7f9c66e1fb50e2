package redisadapter_test

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/vmihailenco/msgpack/v5"

	"github.com/cacheaside/resilience/redisadapter"
)

// benchUser is about 200 bytes on the wire.
type benchUser struct {
	ID      int64
	Name    string
	Email   string
	Active  bool
	Score   float64
	Tags    []string
	Created time.Time
	Role    string
	Bio     string
}

func smallUser() benchUser {
	return benchUser{
		ID: 1_234_567, Name: "Somebody Inparticular", Email: "somebody@example.com", Active: true, Score: 1.5,
		Tags: []string{"a", "bb", "ccc"}, Created: time.Unix(1_700_000_000, 1), Role: "administrator",
		Bio: "once upon a time there was a row in a table of users",
	}
}

// benchOrder with its lines is about 10 KB on the wire.
type benchOrder struct {
	ID    int64
	Lines []wireLine
}

func largeOrder() benchOrder {
	order := benchOrder{ID: 5}
	for i := range 150 {
		order.Lines = append(order.Lines, wireLine{fmt.Sprintf("sku-%d", i), i, int64(i) * 1000, 0.25, "a note about it"})
	}
	return order
}

func BenchmarkSmallStruct(b *testing.B) { benchmarkCodec(b, smallUser()) }
func BenchmarkLargeStruct(b *testing.B) { benchmarkCodec(b, largeOrder()) }
func BenchmarkLargeBytes(b *testing.B)  { benchmarkCodec(b, make([]byte, 10<<10)) }

// benchmarkCodec runs the codec and the msgpack package itself side by side, and the scan alone.
func benchmarkCodec[V any](b *testing.B, value V) {
	codec := redisadapter.Msgpack[V]()
	payload := msgpackOf(b, value)
	run := func(name string, f func() error) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(payload)))
			for b.Loop() {
				if err := f(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	run("Append", func() error {
		_, err := codec.Append(nil, value)
		return err
	})
	run("msgpack.Marshal", func() error {
		_, err := msgpack.Marshal(value)
		return err
	})
	run("Decode", func() error {
		var back V
		return codec.Decode(payload, &back)
	})
	run("msgpack.Unmarshal", func() error {
		var back V
		return msgpack.Unmarshal(payload, &back)
	})
	scan := redisadapter.ScanWith(reflect.TypeFor[V]())
	run("scan", func() error {
		if !scan(payload) {
			b.Fatal("refused")
		}
		return nil
	})
}
