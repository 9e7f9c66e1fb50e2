//go:build unix

package redisadapter_test

import (
	"context"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/vmihailenco/msgpack/v5"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/redisadapter"
)

// order is a value of many small fields: 10 KB of it hold some 150 lines.
type order struct {
	ID       int64
	Customer string
	Lines    []orderLine
}

type orderLine struct {
	Article  string
	Quantity int32
	Price    float64
	Gift     bool
	Note     string
}

func orderOf(size int) order {
	o := order{ID: 1<<40 + 7, Customer: "a customer of some name"}
	for i := 0; len(o.Lines) == 0 || (i+1)*70 < size; i++ {
		o.Lines = append(o.Lines, orderLine{Article: "article-" + strconv.Itoa(1000+i), Quantity: 3, Price: 19.99, Note: "to be left at the door"})
	}
	return o
}

// BenchmarkGetFreshHitAgainstRaw compares Get on a fresh entry with a raw GET and a msgpack decode of the same value, in turns within one run, and
// raw against raw beside it: where that ratio leaves 0.98 to 1.02, the machine was too noisy for the other one to mean anything. "cpu" is over a
// connection that answers by itself, so that what is told is this process's own work; "cpu-cancellable" is the same for a context that can be
// cancelled, as a request's can; "redis" is over loopback.
func BenchmarkGetFreshHitAgainstRaw(b *testing.B) {
	b.Run("struct-200B", func(b *testing.B) { againstRaw(b, orderOf(200)) })
	b.Run("struct-10KB", func(b *testing.B) { againstRaw(b, orderOf(10<<10)) })
	b.Run("opaque-10KB", func(b *testing.B) { againstRaw(b, []byte(strings.Repeat("x", 10<<10))) })
}

func againstRaw[V any](b *testing.B, want V) {
	_, client := started(b)
	ctx := context.Background()
	cfg := redisadapter.Config[string, V]{Namespace: "bench", Region: "order", Secret: base().Secret, TTL: base().TTL}
	cfg.TTL.Soft, cfg.TTL.Hard = 24*time.Hour, 48*time.Hour
	mustApply(b, open(b, client, cfg).Record(ctx, "k", cacheaside.Entry[V]{Value: want}, ifAbsent))
	stored := bytesAt(b, client, onlyKey(b, client))
	payload, err := msgpack.Marshal(want)
	if err != nil {
		b.Fatal(err)
	}
	client.Set(ctx, "raw", payload, 0)
	cannedRaw, cannedEntry := canned(b, string(payload)), canned(b, stored)
	for _, over := range []struct {
		name       string
		raw, entry *redis.Client
	}{{"cpu", cannedRaw, cannedEntry}, {"redis", client, client}} {
		region, err := cacheaside.NewRegion(cacheaside.RegionConfig[string, V]{
			Name: "order", Cache: open(b, over.entry, cfg), Policy: cacheaside.StrictPolicy(),
		})
		if err != nil {
			b.Fatal(err)
		}
		raw := func() error {
			bytes, err := over.raw.Get(ctx, "raw").Bytes()
			if err != nil {
				return err
			}
			var v V
			return msgpack.Unmarshal(bytes, &v)
		}
		load := func(context.Context, string) cacheaside.SourceOutcome[V] {
			return cacheaside.PermanentFailure[V]("unexpected", nil)
		}
		get := func() error {
			_, err := cacheaside.Get(ctx, region, "k", load)
			return err
		}
		request, cancel := context.WithCancel(ctx)
		defer cancel()
		getForRequest := func() error {
			_, err := cacheaside.Get(request, region, "k", load)
			return err
		}
		for _, goroutines := range []int{1, 64} {
			if over.name == "cpu" && goroutines > 1 {
				continue // the connection that answers by itself is one
			}
			clock := wallTime
			if over.name == "cpu" {
				clock = processorTime
			}
			if over.name == "cpu" {
				b.Run("cpu-cancellable", func(b *testing.B) { inTurns(b, clock, goroutines, len(payload), raw, getForRequest) })
			}
			b.Run(over.name+"-"+strconv.Itoa(goroutines), func(b *testing.B) { inTurns(b, clock, goroutines, len(payload), raw, get) })
		}
	}
}

func wallTime() time.Duration { return time.Duration(time.Now().UnixNano()) }

// processorTime is what this process has cost so far, garbage collection included, whatever else the machine has to do.
func processorTime() time.Duration {
	var used syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &used)
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// turn is how many reads of one way follow each other.
const turn = 64

// inTurns measures raw, get and raw again in short turns, so that what the machine does to one it does to all.
func inTurns(b *testing.B, clock func() time.Duration, goroutines, size int, raw, get func() error) {
	var spent [3]time.Duration
	var allocated [3]uint64
	turns, each := 0, max(turn/goroutines, 4)
	ways := [3]func() error{raw, get, raw}
	for b.Loop() {
		turns++
		for i := range ways {
			at := (i + turns) % len(ways) // each way is first, second and third in turn
			var before, after runtime.MemStats
			if goroutines == 1 && turns <= 20 {
				runtime.ReadMemStats(&before)
			}
			begun := clock()
			var group sync.WaitGroup
			for range goroutines - 1 {
				group.Go(func() { repeatRead(b, each, ways[at]) })
			}
			repeatRead(b, each, ways[at])
			group.Wait()
			spent[at] += clock() - begun
			if goroutines == 1 && turns <= 20 {
				runtime.ReadMemStats(&after)
				allocated[at] += after.Mallocs - before.Mallocs
			}
		}
	}
	per := func(way int) float64 { return float64(spent[way].Nanoseconds()) / float64(turns*each*goroutines) }
	b.ReportMetric(per(0), "raw-ns")
	b.ReportMetric(per(1), "get-ns")
	b.ReportMetric(per(1)/((per(0)+per(2))/2), "get/raw")
	b.ReportMetric(per(2)/per(0), "raw/raw")
	b.ReportMetric(0, "ns/op")
	if goroutines == 1 {
		extra := per(1) - (per(0)+per(2))/2
		b.ReportMetric(extra, "extra-ns")
		b.ReportMetric((extra-1500)/float64(size), "extra-ns/B-over-1.5µs")
		counted := uint64(min(turns, 20) * each)
		b.ReportMetric(float64(allocated[1])/float64(counted)-float64(allocated[0])/float64(counted), "extra-allocs")
	}
}

func repeatRead(b *testing.B, times int, read func() error) {
	for range times {
		if err := read(); err != nil {
			b.Error(err)
			return
		}
	}
}
