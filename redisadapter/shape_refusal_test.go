package redisadapter_test

import (
	"encoding"
	"errors"
	"math/big"
	"net/netip"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/vmihailenco/msgpack/v5"

	"github.com/cacheaside/resilience/redisadapter"
)

// faultsOf returns the paths of all faults of a type, and checks that all three ways to learn of them agree.
func faultsOf[V any](t *testing.T) string {
	t.Helper()
	codec := redisadapter.Msgpack[V]()
	checker, ok := codec.(interface{ Check() error })
	if !ok {
		t.Fatal("no method Check() error")
	}
	var value V
	err := checker.Check()
	out, errAppend := codec.Append([]byte("kept"), value)
	errDecode := codec.Decode([]byte{0x80}, &value)
	if err == nil {
		return ""
	}
	if !errors.Is(errAppend, err) || !errors.Is(errDecode, err) || string(out) != "kept" || codec.Shape() != 0 {
		t.Fatalf("Check: %v; Append: %v, %q; Decode: %v; Shape: %d", err, errAppend, out, errDecode, codec.Shape())
	}
	var paths []string
	for _, line := range strings.Split(err.Error(), "\n") {
		line, _, _ = strings.Cut(strings.TrimPrefix(line, "redisadapter: "), " (")
		paths = append(paths, strings.ReplaceAll(line, "redisadapter_test.", ""))
	}
	var first *redisadapter.ShapeError
	if !errors.As(err, &first) || first.Path == "" || first.Type == "" || first.Rule == "" {
		t.Fatalf("no complete ShapeError: %v", err)
	}
	return strings.Join(paths, " ")
}

// Types that cannot be stored.
type (
	holdsAny struct {
		OK   int
		Deep []map[string]*struct{ Meta any }
	}
	twoFaults struct {
		A  chan int
		OK int
		B  func()
	}
	hidden     struct{ secret int }
	halfHidden struct {
		OK     int
		secret int
	}
	ring struct {
		Self *ring
		Bad  error
	}
	onlyWrites  struct{ N int }
	readsCopies struct{ N int }
	twoCodecs   struct{ N int }
	twoReaders  struct{ N int }
	twoWriters  struct{ N int }
	onlyReads   struct{ N int }
	withPointer struct{ N int }
	aliased     struct {
		A int `msgpack:"a,alias:b"`
	}
	stampedNote struct {
		time.Time

		Note string
	}
	skipsStamp struct {
		time.Time `msgpack:"-"`

		Note string
	}
	hiddenEmbedded struct{ wireColor }
	shadowed       struct {
		wireBase

		ID int
	}
	embedsNil struct{ *wireBase }
	embedsOwn struct{ *big.Int }
	embedsAny struct{ textType }
	textType  interface {
		encoding.TextMarshaler
		encoding.TextUnmarshaler
	}
	rate        struct{ F float64 }
	mixedPlaces struct { // what may stand in one place may not in another
		First withPointer
		InMap map[string]withPointer
		Rate  rate
		AsKey map[rate]int
	}
	markerWithData struct {
		_msgpack int
		A        int
	}
	inlinesOwn struct {
		netip.Addr `msgpack:",inline"`
		netip.Prefix
	}
	embedsOwnToo struct {
		*big.Int

		Other int `msgpack:"-"`
	}
	namedByte byte
	// WireShared has a name that lets it be embedded as a field of its own.
	WireShared struct{ A, B int }
)

// No program reads what cannot be stored.
var _ = []any{hidden{}.secret, halfHidden{}.secret, hiddenEmbedded{}.wireColor, markerWithData{}._msgpack}

func (onlyWrites) MarshalText() ([]byte, error) { return nil, nil }

func (readsCopies) MarshalBinary() ([]byte, error) { return nil, nil }
func (readsCopies) UnmarshalBinary([]byte) error   { return nil }

func (*onlyReads) UnmarshalText([]byte) error { return nil }

func (*twoReaders) MarshalBinary() ([]byte, error) { return nil, nil }
func (*twoReaders) UnmarshalText([]byte) error     { return nil }

//nolint:recvcheck // the mix is what is refused
func (twoWriters) MarshalText() ([]byte, error)    { return nil, nil }
func (*twoWriters) UnmarshalText([]byte) error     { return nil }
func (*twoWriters) MarshalBinary() ([]byte, error) { return nil, nil }

//nolint:recvcheck // the mix is what is refused
func (twoCodecs) MarshalText() ([]byte, error)            { return nil, nil }
func (*twoCodecs) UnmarshalText([]byte) error             { return nil }
func (*twoCodecs) EncodeMsgpack(*msgpack.Encoder) error   { return nil }
func (*twoCodecs) DecodeMsgpack(*msgpack.Decoder) error   { return nil }
func (*withPointer) EncodeMsgpack(*msgpack.Encoder) error { return nil }
func (*withPointer) DecodeMsgpack(*msgpack.Decoder) error { return nil }

func TestC71_ATypeThatCannotBeStoredIsRefusedWithThePathOfTheField(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ got, want string }{
		{faultsOf[any](t), "interface {}"},
		{faultsOf[error](t), "error"},
		{faultsOf[[]any](t), "[]interface {}[]"},
		{faultsOf[map[string]any](t), "map[string]interface {}[]"},
		{faultsOf[holdsAny](t), "holdsAny.Deep[][].Meta"},
		{faultsOf[twoFaults](t), "twoFaults.A twoFaults.B"},
		{faultsOf[ring](t), "ring.Bad"},
		{faultsOf[chan int](t), "chan int"},
		{faultsOf[func()](t), "func()"},
		{faultsOf[complex64](t), "complex64"},
		{faultsOf[[]complex128](t), "[]complex128[]"},
		{faultsOf[uintptr](t), "uintptr"},
		{faultsOf[unsafe.Pointer](t), "unsafe.Pointer"},
		{faultsOf[hidden](t), "hidden.secret"},
		{faultsOf[*hidden](t), "*hidden.secret"},
		{faultsOf[halfHidden](t), "halfHidden.secret"},
		{faultsOf[map[string]hidden](t), "map[string]hidden[].secret"},
		{faultsOf[hiddenEmbedded](t), "hiddenEmbedded.wireColor"},
		{faultsOf[**int](t), "**int"},
		{faultsOf[*[]int](t), "*[]int"},
		{faultsOf[struct{ P *map[string]int }](t), "struct { P *map[string]int }.P"},
		{faultsOf[map[float64]int](t), "map[float64]int[key]"},
		{faultsOf[map[[1]float32]int](t), "map[[1]float32]int[key][]"},
		{faultsOf[map[time.Time]int](t), "map[time.Time]int[key]"},
		{faultsOf[map[*int]int](t), "map[*int]int[key]"},
		{faultsOf[map[any]int](t), "map[interface {}]int[key]"},
		{faultsOf[map[string][2]namedByte](t), "map[string][2]namedByte[]"},
		{faultsOf[map[string]big.Int](t), "map[string]big.Int[]"},
		{faultsOf[map[string]withPointer](t), "map[string]withPointer[]"},
		{faultsOf[markerWithData](t), "markerWithData._msgpack"},
		{faultsOf[mixedPlaces](t), "mixedPlaces.InMap[] mixedPlaces.AsKey[key].F"},
		{faultsOf[onlyWrites](t), "onlyWrites"},
		{faultsOf[readsCopies](t), "readsCopies"},
		{faultsOf[twoCodecs](t), "twoCodecs"},
		{faultsOf[twoReaders](t), "twoReaders"},
		{faultsOf[twoWriters](t), "twoWriters"},
		{faultsOf[onlyReads](t), "onlyReads"},
		{faultsOf[inlinesOwn](t), "inlinesOwn.Addr"},
		{faultsOf[stampedNote](t), "stampedNote"},
		{faultsOf[skipsStamp](t), "skipsStamp"},
		{faultsOf[embedsNil](t), "embedsNil.wireBase"},
		{faultsOf[embedsOwn](t), "embedsOwn"},
		{faultsOf[embedsOwnToo](t), "embedsOwnToo"},
		{faultsOf[embedsAny](t), "embedsAny"},
		{faultsOf[shadowed](t), "shadowed.ID"},
		{faultsOf[aliased](t), "aliased.A"},
		{faultsOf[struct {
			A string `msgpack:",intern"`
		}](t), "struct { A string \"msgpack:\\\",intern\\\"\" }.A"},
	} {
		if c.got != c.want {
			t.Errorf("got faults at %q, want %q", c.got, c.want)
		}
	}
}

func TestOmitemptyIsRefusedWhereItWouldLeaveOutMoreThanZero(t *testing.T) {
	t.Parallel()
	type omits struct {
		OK     *wireLine      `msgpack:",omitempty"`
		Text   string         `msgpack:",omitempty"`
		At     time.Time      `msgpack:",omitempty"`
		Slice  []int          `msgpack:",omitempty"`
		Map    map[string]int `msgpack:",omitempty"`
		Float  float64        `msgpack:",omitempty"`
		Array  [2]int         `msgpack:",omitempty"`
		Struct wireLine       `msgpack:",omitempty"`
		Paid   *time.Time     `msgpack:",omitempty"`
	}
	want := "omits.Slice omits.Map omits.Float omits.Array omits.Struct omits.Paid"
	if got := faultsOf[omits](t); got != want {
		t.Fatalf("got faults at %q, want %q", got, want)
	}
}

func TestTypesThatAreStoredAreNotRefused(t *testing.T) {
	t.Parallel()
	type noinline struct {
		*WireShared `msgpack:",noinline"`

		_       int
		Skipped chan int `msgpack:"-"`
	}
	for i, faults := range []string{
		faultsOf[wireOrder](t), faultsOf[*wireOrder](t), faultsOf[wireTree](t), faultsOf[wireTuple](t),
		faultsOf[wireNest](t), faultsOf[map[string]*withPointer](t), faultsOf[[]withPointer](t), faultsOf[*[3]namedByte](t),
		faultsOf[msgpack.RawMessage](t), faultsOf[struct{}](t), faultsOf[noinline](t),
	} {
		if faults != "" {
			t.Errorf("type %d is refused: %s", i, faults)
		}
	}
	type twoOwn struct { // neither promotes its methods, so both are fields
		netip.Addr
		netip.Prefix
	}
	value := twoOwn{netip.MustParseAddr("::1"), netip.MustParsePrefix("10.0.0.0/8")}
	if back := roundTrip(t, value); back != value {
		t.Fatalf("%v came back as %v", value, back)
	}
	roundTrip(t, noinline{})
	roundTrip(t, noinline{WireShared: &WireShared{}})
}
