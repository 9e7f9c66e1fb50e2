package redisadapter_test

import (
	"errors"
	"math/big"
	"net/netip"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/cacheaside/resilience/redisadapter"
)

// checkDecode returns what holds for any bytes: they are refused with the typed error and nothing left, or accepted as
// a value that survives another round.
func checkDecode[V any]() func(t *testing.T, payload []byte) {
	codec := redisadapter.Msgpack[V]()
	return func(t *testing.T, payload []byte) {
		t.Helper()
		checkDecodeWith(t, codec, payload)
	}
}

func checkDecodeWith[V any](t *testing.T, codec redisadapter.Codec[V], payload []byte) {
	t.Helper()
	var value, none, again V
	err := codec.Decode(payload, &value)
	if err != nil {
		if !errors.Is(err, redisadapter.ErrPayload) || !reflect.DeepEqual(value, none) {
			t.Fatalf("%T: %v left %+v", value, err, value)
		}
		return
	}
	written, err := codec.Append(nil, value)
	if err != nil {
		t.Fatalf("%T: what was read cannot be written: %v", value, err)
	}
	if err := codec.Decode(written, &again); err != nil {
		t.Fatalf("%T: what was written cannot be read: %v", value, err)
	}
	if !sameValue(reflect.ValueOf(&value).Elem(), reflect.ValueOf(&again).Elem()) {
		t.Fatalf("%#v became %#v", value, again)
	}
}

func FuzzDecode(f *testing.F) {
	for _, seed := range [][]byte{
		nil, {0xc0}, {0x80}, {0x90}, {0xc1}, msgpackOf(f, richOrder()), msgpackOf(f, wireOrder{}),
		msgpackOf(f, wireTree{Kids: []wireTree{{}}}), msgpackOf(f, wireNest{{}, nil}), msgpackOf(f, wireTuple{X: 1}),
		msgpackOf(f, map[netip.Addr]int{netip.IPv4Unspecified(): 1}), msgpackOf(f, []time.Time{{}, time.Unix(1, 1)}),
		[]byte("\xdd\xff\xff\xff\xff"), []byte("\x82\xa1a\x01\xa1a\x02"),
	} {
		f.Add(seed)
	}
	checks := []func(*testing.T, []byte){
		checkDecode[wireOrder](),
		checkDecode[*wireNode](),
		checkDecode[wireTree](),
		checkDecode[wireNest](),
		checkDecode[wireTuple](),
		checkDecode[map[string]string](),
		checkDecode[map[int8]map[uint16]bool](),
		checkDecode[map[netip.Addr]int](),
		checkDecode[[]time.Time](),
		checkDecode[[3]*string](),
		checkDecode[[]*big.Int](),
		checkDecode[string](),
		checkDecode[[]byte](),
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		for _, check := range checks {
			check(t, payload)
		}
	})
}

func richOrder() wireOrder {
	line, paid := wireLine{"a", 1, 2, 0.5, "note"}, time.Unix(5, 6)
	return wireOrder{
		wireBase: wireBase{ID: 7, Version: 9}, Name: "name", Lines: []wireLine{line, {}},
		ByKey: map[string]*wireLine{"x": &line, "nil": nil}, Counts: map[int8]uint16{-1: 1, 127: 65535},
		Flags: map[wireColor]bool{"red": true}, Discount: &wireMoney{}, Raw: []byte{0, 1}, Tags: []string{"", "t"},
		At: time.Unix(1, 2), Paid: &paid, Times: map[string]time.Time{"t": paid}, Next: &wireOrder{Memo: "inner"},
	}
}

// orders draws any order that the types allow, nil and empty parts included.
func orders(depth int) *rapid.Generator[wireOrder] {
	line := rapid.Custom(func(t *rapid.T) wireLine {
		return wireLine{
			SKU: rapid.String().Draw(t, "SKU"), Qty: rapid.Int().Draw(t, "Qty"), Price: rapid.Int64().Draw(t, "Price"),
			Rate: rapid.Float64().Draw(t, "Rate"), Note: rapid.StringN(0, 300, -1).Draw(t, "Note"),
		}
	})
	instant := rapid.Custom(func(t *rapid.T) time.Time {
		return time.Unix(rapid.Int64().Draw(t, "seconds"), rapid.Int64Range(0, 999_999_999).Draw(t, "nanoseconds"))
	})
	return rapid.Custom(func(t *rapid.T) wireOrder {
		o := wireOrder{
			wireBase: wireBase{rapid.Int64().Draw(t, "ID"), rapid.Uint32().Draw(t, "Version")},
			Name:     rapid.String().Draw(t, "Name"),
			Lines:    orNil(rapid.SliceOfN(line, 0, 20)).Draw(t, "Lines"),
			ByKey:    orNil(rapid.MapOfN(rapid.String(), rapid.Ptr(line, true), 0, 20)).Draw(t, "ByKey"),
			Counts:   orNil(rapid.MapOf(rapid.Int8(), rapid.Uint16())).Draw(t, "Counts"),
			Total:    wireMoney{Units: rapid.Int64().Draw(t, "Units")},
			Discount: rapid.Ptr(rapid.Make[wireMoney](), true).Draw(t, "Discount"),
			Raw:      orNil(rapid.SliceOf(rapid.Byte())).Draw(t, "Raw"),
			Tags:     orNil(rapid.SliceOf(rapid.String())).Draw(t, "Tags"),
			Matrix:   rapid.Make[[2][3]float32]().Draw(t, "Matrix"),
			At:       instant.Draw(t, "At"),
			Paid:     rapid.Ptr(instant, true).Draw(t, "Paid"),
			Times:    orNil(rapid.MapOfN(rapid.String(), instant, 0, 5)).Draw(t, "Times"),
			Took:     time.Duration(rapid.Int64().Draw(t, "Took")),
			Memo:     rapid.String().Draw(t, "Memo"),
		}
		if depth > 0 {
			o.Next = rapid.Ptr(orders(depth-1), true).Draw(t, "Next")
		}
		return o
	})
}

func orNil[V any](g *rapid.Generator[V]) *rapid.Generator[V] {
	var none V
	return rapid.OneOf(rapid.Just(none), g)
}

func checkRoundTrip(t *rapid.T) {
	codec := redisadapter.Msgpack[wireOrder]()
	order := orders(2).Draw(t, "order")
	payload, err := codec.Append([]byte("head"), order)
	if err != nil || string(payload[:4]) != "head" {
		t.Fatalf("Append: %q, %v", payload[:min(4, len(payload))], err)
	}
	var back wireOrder
	if err := codec.Decode(payload[4:], &back); err != nil {
		t.Fatal(err)
	}
	if !sameValue(reflect.ValueOf(order), reflect.ValueOf(back)) {
		t.Fatalf("%+v came back as %+v", order, back)
	}
	cut := rapid.IntRange(4, len(payload)-1).Draw(t, "cut")
	if err := codec.Decode(payload[4:cut], &back); !errors.Is(err, redisadapter.ErrPayload) {
		t.Fatalf("cut at %d: %v", cut, err)
	}
}

func TestAnyOrderSurvives(t *testing.T) {
	t.Parallel()
	rapid.Check(t, checkRoundTrip)
}

func FuzzRoundTrip(f *testing.F) { f.Fuzz(rapid.MakeFuzz(checkRoundTrip)) }
