//go:build !race

package redisadapter_test

import (
	"errors"
	"testing"
	"time"

	"github.com/cacheaside/resilience/redisadapter"
)

// bombMemory is what a process may use beyond what it has at the start.
const bombMemory = 256 << 20

// The counts hold without the race detector, under which pools lose some of what they are given.

func TestAppendIntoEnoughRoomAllocatesNothing(t *testing.T) {
	room := make([]byte, 0, 64<<10)
	wantAllocs(t, 0, appending(t, room, largeOrder()))
	wantAllocs(t, 0, appending(t, room, "text"))
	wantAllocs(t, 0, appending(t, room, make([]byte, 10<<10)))
	wantAllocs(t, 1, appending(t, nil, largeOrder()))
	wantAllocs(t, 1, appending(t, nil, make([]byte, 10<<10)))
}

func TestDecodeAllocatesOnlyTheValue(t *testing.T) {
	wantAllocs(t, 1, decoding(t, make([]byte, 10<<10)))
	wantAllocs(t, 1, decoding(t, "text"))
	wantAllocs(t, 0, decoding(t, struct {
		N  int64
		At time.Time
	}{1, time.Unix(1, 1)}))
	wantAllocs(t, 0, decoding(t, map[string]int(nil)))
}

// This one takes as many steps as a payload has bytes at most, which the race detector makes long.
func TestAValueWhosePartsAreSharedWithoutEndIsRefusedInTime(t *testing.T) {
	t.Parallel()
	type pair struct{ A, B *pair }
	value := &pair{}
	for range 60 {
		value = &pair{value, value} // 2^60 parts, 60 deep
	}
	if _, err := redisadapter.Msgpack[*pair]().Append(nil, value); !errors.Is(err, redisadapter.ErrUnencodable) {
		t.Fatalf("got %v, want ErrUnencodable", err)
	}
}

func wantAllocs(t *testing.T, want float64, f func()) {
	t.Helper()
	if got := testing.AllocsPerRun(100, f); got > want {
		t.Errorf("%v allocations, want %v", got, want)
	}
}

func appending[V any](t *testing.T, dst []byte, value V) func() {
	t.Helper()
	codec := redisadapter.Msgpack[V]()
	return func() {
		if _, err := codec.Append(dst, value); err != nil {
			t.Error(err)
		}
	}
}

func decoding[V any](t *testing.T, value V) func() {
	t.Helper()
	codec, payload, target := redisadapter.Msgpack[V](), msgpackOf(t, value), new(V)
	return func() {
		if err := codec.Decode(payload, target); err != nil {
			t.Error(err)
		}
	}
}
