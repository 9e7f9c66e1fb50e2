package redisadapter_test

import (
	"errors"
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/vmihailenco/msgpack/v5"

	"github.com/cacheaside/resilience/redisadapter"
)

// The types that several tests of the codec store.
type (
	wireLine struct {
		SKU   string
		Qty   int
		Price int64
		Rate  float64
		Note  string
	}
	wireMoney struct {
		Units    int64
		Currency [3]byte
	}
	wireBase struct {
		ID      int64
		Version uint32 `msgpack:"v"`
	}
	wireOrder struct {
		wireBase

		Name     string
		Lines    []wireLine
		ByKey    map[string]*wireLine
		Counts   map[int8]uint16
		Flags    map[wireColor]bool
		Total    wireMoney
		Discount *wireMoney
		Raw      []byte
		Tags     []string
		Matrix   [2][3]float32
		At       time.Time
		Paid     *time.Time
		Times    map[string]time.Time
		Took     time.Duration
		Next     *wireOrder
		Memo     string `msgpack:"memo,omitempty"`
		secret   string `msgpack:"-"`
	}
	wireColor string
	wireNode  struct {
		N    int
		Next *wireNode
	}
	wireTree struct {
		Kids []wireTree
		ByID map[string]wireTree
	}
	wireNest  []wireNest
	wireTuple struct {
		_msgpack struct{} `msgpack:",as_array"`

		X, Y int16
		Name string
	}
)

// Only the encoder reads the marker, and nobody a field that is left out.
var _ = []any{wireTuple{}._msgpack, wireOrder{}.secret}

// msgpackOf appends a value and fails the test if that is refused.
func msgpackOf[V any](t testing.TB, value V) []byte {
	t.Helper()
	payload, err := redisadapter.Msgpack[V]().Append(nil, value)
	if err != nil {
		t.Fatalf("Append(%T): %v", value, err)
	}
	return payload
}

// plainMsgpack encodes with the msgpack package itself, which writes sized integers at full width.
func plainMsgpack(t testing.TB, value any) []byte {
	t.Helper()
	payload, err := msgpack.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return payload
}

// readBack decodes a payload and fails the test if it is refused.
func readBack[V any](t testing.TB, payload []byte) V {
	t.Helper()
	var value V
	if err := redisadapter.Msgpack[V]().Decode(payload, &value); err != nil {
		t.Fatalf("Decode into %T: %v", value, err)
	}
	return value
}

// wantRefused decodes a payload and fails the test unless it is refused as a payload, with the given text, and leaves the
// zero value.
func wantRefused[V any](t testing.TB, payload []byte, text string) {
	t.Helper()
	var value, none V
	err := redisadapter.Msgpack[V]().Decode(payload, &value)
	if !errors.Is(err, redisadapter.ErrPayload) {
		t.Fatalf("Decode(% x) into %T: got %v, want ErrPayload", payload[:min(len(payload), 32)], value, err)
	}
	var fault *redisadapter.CodecError
	if !errors.As(err, &fault) || fault.Op != "decode" || fault.Rule != text {
		t.Fatalf("Decode into %T: got %v, want the rule %q", value, err, text)
	}
	if !reflect.DeepEqual(value, none) {
		t.Fatalf("Decode into %T failed and left %+v", value, value)
	}
}

// roundTrip checks that a value survives.
func roundTrip[V any](t testing.TB, value V) V {
	t.Helper()
	back := readBack[V](t, msgpackOf(t, value))
	if !sameValue(reflect.ValueOf(&value).Elem(), reflect.ValueOf(&back).Elem()) {
		t.Fatalf("%T: %#v came back as %#v", value, value, back)
	}
	return back
}

// sameValue is [reflect.DeepEqual] with floats compared by bits and times by instant.
func sameValue(a, b reflect.Value) bool {
	if at, ok := a.Interface().(time.Time); ok {
		bt, _ := b.Interface().(time.Time)
		return at.Equal(bt) && at.IsZero() == bt.IsZero()
	}
	switch a.Kind() {
	case reflect.Float32, reflect.Float64:
		return math.Float64bits(a.Float()) == math.Float64bits(b.Float())
	case reflect.Pointer:
		return a.IsNil() == b.IsNil() && (a.IsNil() || sameValue(a.Elem(), b.Elem()))
	case reflect.Slice, reflect.Array:
		if a.Len() != b.Len() || a.Kind() == reflect.Slice && a.IsNil() != b.IsNil() {
			return false
		}
		for i := range a.Len() {
			if !sameValue(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Map:
		if a.Len() != b.Len() || a.IsNil() != b.IsNil() {
			return false
		}
		for _, key := range a.MapKeys() {
			if other := b.MapIndex(key); !other.IsValid() || !sameValue(a.MapIndex(key), other) {
				return false
			}
		}
		return true
	case reflect.Struct:
		for i := range a.NumField() {
			if a.Type().Field(i).IsExported() && !sameValue(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	default:
		return reflect.DeepEqual(a.Interface(), b.Interface())
	}
}
