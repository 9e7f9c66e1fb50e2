package redisadapter_test

import (
	"fmt"
	"math"
	"math/big"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/cacheaside/resilience/redisadapter"
)

const (
	ruleKind  = "a value of another kind"
	ruleRange = "the number does not fit"
)

// wideNumbers are the numbers around every limit, each in all the forms it has on the wire.
func wideNumbers() []*big.Int {
	var all []*big.Int
	for _, bits := range []uint{0, 5, 7, 8, 15, 16, 31, 32, 63, 64} {
		for _, near := range []int64{-1, 0, 1} {
			n := new(big.Int).Lsh(big.NewInt(1), bits)
			n.Add(n, big.NewInt(near))
			all = append(all, n, new(big.Int).Neg(n))
		}
	}
	return append(all, big.NewInt(300), big.NewInt(-300))
}

// wireForms gives every MessagePack encoding of a number, the wasteful ones included.
func wireForms(n *big.Int) [][]byte {
	var all [][]byte
	put := func(code byte, width uint) {
		p := []byte{code}
		v := new(big.Int).And(n, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 8*width), big.NewInt(1)))
		all = append(all, append(p, v.FillBytes(make([]byte, width))...))
	}
	for i, width := range []uint{1, 2, 4, 8} {
		if n.Sign() >= 0 && n.BitLen() <= int(8*width) {
			put(0xcc+byte(i), width)
		}
		low := new(big.Int).Neg(new(big.Int).Lsh(big.NewInt(1), 8*width-1))
		if n.Cmp(low) >= 0 && n.Cmp(new(big.Int).Neg(low)) < 0 {
			put(0xd0+byte(i), width)
		}
	}
	if n.IsInt64() && n.Int64() >= -32 && n.Int64() <= 127 {
		all = append(all, []byte{byte(n.Int64())})
	}
	return all
}

func checkWidth[V int | int8 | int16 | int32 | int64 | uint | uint8 | uint16 | uint32 | uint64](
	t *testing.T, low, high *big.Int,
) {
	t.Helper()
	list, field := redisadapter.Msgpack[[]V](), redisadapter.Msgpack[struct{ N V }]()
	for _, n := range wideNumbers() {
		fits := n.Cmp(low) >= 0 && n.Cmp(high) <= 0
		for _, form := range wireForms(n) {
			if !fits {
				wantRefused[V](t, form, ruleFor(n, low))
				wantRefused[*V](t, form, ruleFor(n, low))
				wantRefused[[]V](t, append([]byte{0x91}, form...), ruleFor(n, low))
				wantRefused[struct{ N V }](t, append([]byte{0x81, 0xa1, 'N'}, form...), ruleFor(n, low))
				continue
			}
			var (
				elements []V
				inside   struct{ N V }
			)
			errElem := list.Decode(append([]byte{0x91}, form...), &elements)
			errField := field.Decode(append([]byte{0x81, 0xa1, 'N'}, form...), &inside)
			if errElem != nil || errField != nil {
				t.Fatalf("%T refuses %v as % x: %v, %v", inside.N, n, form, errElem, errField)
			}
			got := []V{readBack[V](t, form), *readBack[*V](t, form), elements[0], inside.N}
			for _, v := range got {
				if fmt.Sprint(v) != n.String() {
					t.Fatalf("%T reads %v as % x: %v", v, n, form, v)
				}
			}
		}
	}
}

func ruleFor(n, low *big.Int) string {
	if n.Sign() < 0 && low.Sign() == 0 {
		return ruleKind // an unsigned type has no place for any number below 0
	}
	return ruleRange
}

func TestNoNumberIsNarrowedAtAnyWidth(t *testing.T) {
	t.Parallel()
	limits := func(low int64, high uint64) (*big.Int, *big.Int) {
		return big.NewInt(low), new(big.Int).SetUint64(high)
	}
	check := func(name string, f func(*testing.T, *big.Int, *big.Int), low int64, high uint64) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l, h := limits(low, high)
			f(t, l, h)
		})
	}
	check("int", checkWidth[int], math.MinInt, math.MaxInt)
	check("int8", checkWidth[int8], math.MinInt8, math.MaxInt8)
	check("int16", checkWidth[int16], math.MinInt16, math.MaxInt16)
	check("int32", checkWidth[int32], math.MinInt32, math.MaxInt32)
	check("int64", checkWidth[int64], math.MinInt64, math.MaxInt64)
	check("uint", checkWidth[uint], 0, math.MaxUint)
	check("uint8", checkWidth8, 0, math.MaxUint8)
	check("uint16", checkWidth[uint16], 0, math.MaxUint16)
	check("uint32", checkWidth[uint32], 0, math.MaxUint32)
	check("uint64", checkWidth[uint64], 0, math.MaxUint64)
}

// checkWidth8 stands in for a list of uint8, which is a string of bytes.
func checkWidth8(t *testing.T, low, high *big.Int) {
	t.Helper()
	for _, n := range wideNumbers() {
		for _, form := range wireForms(n) {
			inMap := append([]byte{0x81}, append(form, 0xc3)...)
			if n.Cmp(low) < 0 || n.Cmp(high) > 0 {
				wantRefused[uint8](t, form, ruleFor(n, low))
				wantRefused[map[uint8]bool](t, inMap, ruleFor(n, low))
				continue
			}
			if got := readBack[uint8](t, form); uint64(got) != n.Uint64() {
				t.Fatalf("%v was read as %v", n, got)
			}
			if got := readBack[map[uint8]bool](t, inMap); !got[uint8(n.Uint64())] {
				t.Fatalf("%v was read as the key of %v", n, got)
			}
		}
	}
}

func TestNoKindOfValueIsTakenForAnother(t *testing.T) {
	t.Parallel()
	wire := map[string][]byte{
		"nil": {0xc0}, "bool": {0xc3}, "small": {0x01}, "neg": {0xff}, "uint64": plainMsgpack(t, uint64(5)),
		"int64": plainMsgpack(t, int64(5)), "float32": plainMsgpack(t, float32(2)), "float64": plainMsgpack(t, 2.0), "string": plainMsgpack(t, "x"),
		"bytes": plainMsgpack(t, []byte("x")), "array": {0x91, 0x01}, "map": {0x81, 0xa1, 'A', 0x01}, "empty map": {0x80},
		"empty array": {0x90}, "time": {0xd6, 0xff, 0, 0, 0, 1}, "other ext": {0xd6, 0x05, 0, 0, 0, 1}, "reserved": {0xc1},
	}
	check := func(typ reflect.Type, decode func([]byte) error, takes []string) {
		for name, payload := range wire {
			if err := decode(payload); (err == nil) != slices.Contains(takes, name) {
				t.Errorf("%v from %s: %v", typ, name, err)
			}
		}
	}
	check(kindCase[bool]("bool"))
	check(kindCase[int64]("small", "neg", "uint64", "int64"))
	check(kindCase[uint64]("small", "uint64", "int64"))
	check(kindCase[float32]("float32"))
	check(kindCase[float64]("float64"))
	check(kindCase[time.Time]("time"))
	check(kindCase[*time.Time]("nil", "time"))
	check(kindCase[string]("string"))
	check(kindCase[wireColor]("string"))
	check(kindCase[[]byte]("nil", "bytes"))
	check(kindCase[[1]byte]("bytes"))
	check(kindCase[[]int]("nil", "array", "empty array"))
	check(kindCase[[1]int]("array"))
	check(kindCase[map[string]int]("nil", "map", "empty map"))
	check(kindCase[struct{ A int }]("map"))
	check(kindCase[*struct{ A int }]("nil", "map"))
	check(kindCase[struct{}]("empty map"))
	check(kindCase[*string]("nil", "string"))
}

func kindCase[V any](takes ...string) (reflect.Type, func([]byte) error, []string) {
	codec := redisadapter.Msgpack[V]()
	return reflect.TypeFor[V](), func(p []byte) error {
		var v V
		return codec.Decode(p, &v)
	}, takes
}
