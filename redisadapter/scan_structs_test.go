package redisadapter_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/cacheaside/resilience/redisadapter"
)

const (
	ruleShort   = "the bytes end early, or no such code exists"
	ruleLength  = "the length does not fit"
	ruleField   = "no such field"
	ruleTwice   = "a field occurs twice"
	ruleMissing = "a field is missing"
	ruleMore    = "bytes follow the value"
	ruleDepth   = "nested deeper than 64"
	ruleKeys    = "a map key occurs twice"
	ruleTime    = "not a timestamp"
	ruleMemory  = "the value takes more than 32 MiB and more than 64 times its bytes in memory"
)

// structOf writes a map of the given names, each with the value 1.
func structOf(names ...string) []byte {
	p := []byte{0xde, byte(len(names) >> 8), byte(len(names))}
	for _, name := range names {
		p = append(append(p, 0xa0|byte(len(name))), name...)
		p = append(p, 1)
	}
	return p
}

func TestAStructHasAllItsFieldsEachOnceAndNoOthers(t *testing.T) {
	t.Parallel()
	type three struct{ A, B, C int }
	for _, order := range []string{"A B C", "A C B", "B A C", "B C A", "C A B", "C B A"} {
		if got := readBack[three](t, structOf(strings.Fields(order)...)); got != (three{1, 1, 1}) {
			t.Fatalf("%s was read as %+v", order, got)
		}
	}
	for payload, rule := range map[string]string{
		"": ruleMissing, "A B": ruleMissing, "A C": ruleMissing, "B C": ruleMissing, "C": ruleMissing,
		"A B A": ruleTwice, "A A C": ruleTwice, "C C B": ruleTwice, "B A A": ruleTwice, "A A": ruleTwice,
		"A B D": ruleField, "a B C": ruleField, "A B C A": ruleField, "A B C D": ruleField, "AA B C": ruleField,
	} {
		wantRefused[three](t, structOf(strings.Fields(payload)...), rule)
		wantRefused[*three](t, structOf(strings.Fields(payload)...), rule)
	}
	wantRefused[three](t, []byte{0x93, 1, 1, 1}, ruleKind) // an array is not a struct
	wantRefused[three](t, []byte{0x83, 1, 1, 0xa1, 'B', 1, 0xa1, 'C', 1}, ruleKind)
	wantRefused[three](t, []byte{0x83, 0xc4, 1, 'A', 1, 0xa1, 'B', 1, 0xa1, 'C', 1}, ruleKind)
	if got := readBack[three](t, []byte{0x83, 0xd9, 1, 'A', 1, 0xa1, 'B', 1, 0xa1, 'C', 1}); got.A != 1 {
		t.Fatalf("a name in a longer form was read as %+v", got)
	}
}

func TestOnlyAnOmitemptyFieldMayBeMissing(t *testing.T) {
	t.Parallel()
	type holder struct {
		A int
		B string `msgpack:"b,omitempty"`
		C *int   `msgpack:",omitempty"`
		D time.Time
		E bool `msgpack:",omitempty"`
	}
	one := 0
	for _, v := range []holder{{}, {A: 1, B: "x"}, {C: &one}, {E: true}, {1, "x", &one, time.Unix(1, 0), true}} {
		roundTrip(t, v)
	}
	wantRefused[holder](t, structOf("A"), ruleMissing)
	wantRefused[holder](t, structOf("A", "b"), ruleKind)
	type all struct {
		_msgpack struct{} `msgpack:",omitempty"`

		A, B int
	}
	_ = all{}._msgpack // only the encoder reads it
	if size := len(msgpackOf(t, all{})); size != 1 {
		t.Fatalf("an empty struct of omitempty fields takes %d bytes", size)
	}
	roundTrip(t, all{B: 1})
}

func TestAWideStructIsCheckedInAnyOrder(t *testing.T) {
	t.Parallel()
	var (
		fields []reflect.StructField
		names  []string
	)
	for i := range 150 {
		names = append(names, fmt.Sprintf("Field%d", i))
		fields = append(fields, reflect.StructField{Name: names[i], Type: reflect.TypeFor[int]()})
	}
	accepts := redisadapter.ScanWith(reflect.StructOf(fields))
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		rnd.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		if !accepts(structOf(names...)) {
			t.Fatal("refused in some order")
		}
		if accepts(structOf(names[1:]...)) {
			t.Fatal("accepted without a field")
		}
		twice := append([]string{names[rnd.IntN(149)]}, names[:149]...)
		if accepts(structOf(twice...)) {
			t.Fatal("accepted with a field twice")
		}
	}
}

func TestStructsInStructsKeepTheirFieldsApart(t *testing.T) {
	t.Parallel()
	type inner struct{ A, B int }
	type outer struct{ X, Y inner }
	in := func(names ...string) string { return string(structOf(names...)) }
	mixed := []byte("\x82\xa1Y" + in("B", "A") + "\xa1X" + in("B", "A"))
	if got := readBack[outer](t, mixed); got != (outer{inner{1, 1}, inner{1, 1}}) {
		t.Fatalf("read as %+v", got)
	}
	wantRefused[outer](t, []byte("\x82\xa1Y"+in("B", "A")+"\xa1X"+in("B", "B")), ruleTwice)
	wantRefused[outer](t, []byte("\x82\xa1Y"+in("B", "A")+"\xa1Y"+in("B", "A")), ruleTwice)
	wantRefused[outer](t, []byte("\x82\xa1Y"+in("B", "A")+"\xa1X"+in("B")), ruleMissing)
}

func TestArraysAndTuplesHaveTheirOwnLength(t *testing.T) {
	t.Parallel()
	for n := range 4 {
		ints, raw := append([]byte{0x90 | byte(n)}, make([]byte, n)...), append([]byte{0xc4, byte(n)}, make([]byte, n)...)
		if n == 2 {
			readBack[[2]int](t, ints)
			readBack[[2]byte](t, raw)
			continue
		}
		wantRefused[[2]int](t, ints, ruleLength)
		wantRefused[[2]byte](t, raw, ruleLength)
	}
	wantRefused[wireTuple](t, []byte{0x92, 1, 2}, ruleLength)
	wantRefused[wireTuple](t, []byte{0x90}, ruleLength)
	wantRefused[wireTuple](t, structOf("X", "Y", "Name"), ruleKind)
	wantRefused[wireTuple](t, []byte{0x93, 1, 2, 3}, ruleKind)
}

func TestAMapHoldsEachKeyOnce(t *testing.T) {
	t.Parallel()
	wantRefused[map[string]int](t, []byte{0x82, 0xa1, 'a', 1, 0xa1, 'a', 2}, ruleKeys)
	wantRefused[map[string]string](t, []byte{0x82, 0xa1, 'a', 0xa0, 0xd9, 1, 'a', 0xa0}, ruleKeys)
	wantRefused[map[uint16]bool](t, []byte{0x82, 1, 0xc3, 0xcd, 0, 1, 0xc3}, ruleKeys)
	wantRefused[[]map[int]time.Time](t, []byte("\x91\x82\x01\xd6\xff\x00\x00\x00\x01\x01\xd6\xff\x00\x00\x00\x02"), ruleKeys)
	wantRefused[map[string]map[int]int](t, []byte{0x81, 0xa0, 0x82, 1, 1, 1, 1}, ruleKeys)
	if got := readBack[map[string]map[int]int](t, []byte{0x82, 0xa0, 0x81, 1, 1, 0xa1, 'x', 0x81, 1, 1}); len(got) != 2 {
		t.Fatalf("the same key in two maps was read as %v", got)
	}
}

func TestTimestampsAreOfTheThreeStandardForms(t *testing.T) {
	t.Parallel()
	for payload, ok := range map[string]bool{
		"\xd6\xff\x00\x00\x00\x01":                                     true,
		"\xd7\xff\x00\x00\x00\x00\x00\x00\x00\x01":                     true,
		"\xd7\xff\xee\x6b\x27\xfc\x00\x00\x00\x01":                     true,  // 999,999,999 ns
		"\xd7\xff\xee\x6b\x28\x00\x00\x00\x00\x01":                     false, // a whole second
		"\xc7\x0c\xff\x00\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff": true,
		"\xc7\x0c\xff\x3b\x9a\xca\x00\xff\xff\xff\xff\xff\xff\xff\xff": false,
		"\xc7\x04\xff\x00\x00\x00\x01":                                 true,
		"\xd4\xff\x00":                                                 false,
		"\xd6\x0d\x00\x00\x00\x01":                                     false, // the type that some libraries use
		"\xc7\x00\xff":                                                 false,
	} {
		if ok {
			roundTrip(t, readBack[time.Time](t, []byte(payload)))
			roundTrip(t, readBack[[]time.Time](t, []byte("\x91"+payload)))
		} else {
			wantRefused[time.Time](t, []byte(payload), ruleTime)
			wantRefused[struct{ T time.Time }](t, []byte("\x81\xa1T"+payload), ruleTime)
		}
	}
}

func TestEveryPrefixAndEveryExtensionOfAPayloadIsRefused(t *testing.T) {
	t.Parallel()
	codec := redisadapter.Msgpack[wireOrder]()
	payload := msgpackOf(t, wireOrder{
		Name: strings.Repeat("x", 40), Lines: []wireLine{{Qty: 70000, Price: 1 << 40}}, Raw: []byte("raw"),
		Counts: map[int8]uint16{1: 300}, Next: &wireOrder{},
	})
	for n := range payload {
		var (
			value wireOrder
			fault *redisadapter.CodecError
		)
		err := codec.Decode(payload[:n:n], &value)
		if !errors.As(err, &fault) || fault.Rule != ruleShort && fault.Rule != ruleLength || fault.Offset > n {
			t.Fatalf("the first %d of %d bytes: %v", n, len(payload), err)
		}
		if !reflect.DeepEqual(value, wireOrder{}) {
			t.Fatalf("the first %d of %d bytes left %+v", n, len(payload), value)
		}
	}
	wantRefused[wireOrder](t, append(payload, 0xc0), ruleMore)
	wantRefused[string](t, []byte{0xa1, 'a', 0}, ruleMore)
	wantRefused[string](t, nil, ruleShort)
	wantRefused[int](t, []byte{}, ruleShort)
	wantRefused[struct{}](t, []byte{0xc1}, ruleShort)
}

func TestDecodeKeepsNothingOfAnOldValue(t *testing.T) {
	t.Parallel()
	codec := redisadapter.Msgpack[map[string]string]()
	value := map[string]string{"old": "kept"}
	if err := codec.Decode([]byte{0x81, 0xa1, 'a', 0xa1, 'b'}, &value); err != nil || len(value) != 1 {
		t.Fatalf("got %v, %v", value, err)
	}
	if err := codec.Decode([]byte{0x81}, &value); err == nil || value != nil {
		t.Fatalf("after an error: %v, %v", value, err)
	}
	raw := msgpackOf(t, []byte("payload"))
	back := readBack[[]byte](t, raw)
	raw[3] = '?'
	if string(back) != "payload" {
		t.Fatalf("the value shares memory with the payload: %s", back)
	}
}
