package redisadapter_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"net/netip"
	"net/url"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cacheaside/resilience/redisadapter"
)

func TestC68_EmptyAndZeroValuesSurvive(t *testing.T) {
	t.Parallel()
	roundTrip(t, "")
	roundTrip(t, []byte{})
	roundTrip(t, []byte(nil))
	roundTrip(t, struct{}{})
	roundTrip(t, [0]int{})
	roundTrip(t, [0]byte{})
	roundTrip(t, map[string]int{})
	roundTrip(t, map[string]int(nil))
	roundTrip(t, map[string]string{})
	roundTrip(t, map[string]string(nil))
	roundTrip(t, []int{})
	roundTrip(t, []int(nil))
	roundTrip(t, []string{})
	roundTrip(t, []string(nil))
	roundTrip(t, false)
	roundTrip(t, 0)
	roundTrip(t, (*wireLine)(nil))
	roundTrip(t, &wireLine{})
	roundTrip(t, new(string))
	roundTrip(t, wireOrder{})
	if back := roundTrip(t, time.Time{}); !back.IsZero() || back != (time.Time{}) {
		t.Fatalf("a zero time came back as %v", back)
	}
}

func TestNilAndEmptyStayApartEverywhere(t *testing.T) {
	t.Parallel()
	type inside struct {
		Bytes  []byte
		Texts  []string
		Ints   []int
		Map    map[string]string
		Any    map[int][]byte
		Lists  [][]string
		Nested map[string][]int
	}
	roundTrip(t, inside{})
	roundTrip(t, inside{
		Bytes: []byte{}, Texts: []string{}, Ints: []int{}, Map: map[string]string{}, Any: map[int][]byte{1: {}, 2: nil},
		Lists: [][]string{{}, nil}, Nested: map[string][]int{"a": {}, "b": nil},
	})
	roundTrip(t, []*[2]int{nil, {}})
}

func TestTextsAndBytesAreWrittenAsTheEncoderWrites(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 31, 32, 33, 255, 256, 257, 65535, 65536, 65537, 1 << 20} {
		raw := bytes.Repeat([]byte{'x'}, n)
		text := string(raw)
		if !bytes.Equal(msgpackOf(t, text), plainMsgpack(t, text)) || !bytes.Equal(msgpackOf(t, raw), plainMsgpack(t, raw)) {
			t.Fatalf("%d bytes are written in another way", n)
		}
		roundTrip(t, text)
		roundTrip(t, raw)
		roundTrip(t, wireColor(text))
		roundTrip(t, json.RawMessage(raw))
		roundTrip(t, []string{text, text})
		roundTrip(t, map[string][]byte{text: raw})
	}
	roundTrip(t, json.RawMessage(nil))
}

func TestNumbersSurviveAtTheirLimits(t *testing.T) {
	t.Parallel()
	type numbers struct {
		I   []int
		I8  []int8
		I16 []int16
		I32 []int32
		I64 []int64
		U   []uint
		U8  [4]uint8
		U16 []uint16
		U32 []uint32
		U64 []uint64
	}
	around := []int64{0, 1, -1, 31, 32, -32, -33, 127, 128, -128, -129, 255, 256, 32767, 32768, -32768, -32769, 65535,
		65536, math.MaxInt32, math.MaxInt32 + 1, math.MinInt32, math.MinInt32 - 1, math.MaxUint32, math.MaxUint32 + 1,
		math.MaxInt64, math.MinInt64}
	var n numbers
	for _, v := range around {
		n.I, n.I64 = append(n.I, int(v)), append(n.I64, v)
		n.I8, n.I16, n.I32 = append(n.I8, int8(v)), append(n.I16, int16(v)), append(n.I32, int32(v))
		n.U, n.U64 = append(n.U, uint(v)), append(n.U64, uint64(v))
		n.U16, n.U32 = append(n.U16, uint16(v)), append(n.U32, uint32(v))
	}
	n.U8 = [4]uint8{0, 127, 128, 255}
	roundTrip(t, n)
	roundTrip(t, uint64(math.MaxUint64))
	roundTrip(t, int64(math.MinInt64))
	roundTrip(t, time.Duration(math.MinInt64))
}

func TestFloatsSurviveBitByBit(t *testing.T) {
	t.Parallel()
	payloadNaN := math.Float64frombits(0x7ff8_0000_dead_beef)
	for _, f := range []float64{
		0, math.Copysign(0, -1), 1.5, math.Inf(1), math.Inf(-1), math.NaN(), payloadNaN, math.MaxFloat64,
		math.SmallestNonzeroFloat64,
	} {
		roundTrip(t, f)
		roundTrip(t, struct{ F *float64 }{&f})
		roundTrip(t, []float32{float32(f)})
	}
}

func TestTimesComeBackAsTheSameInstantInUTC(t *testing.T) {
	t.Parallel()
	zone := time.FixedZone("away", 5*3600+1800)
	for _, at := range []time.Time{
		{}, time.Unix(0, 0), time.Unix(1<<34, 1), time.Unix(1<<34-1, 999_999_999), time.Unix(-1, 1),
		time.Date(9999, 12, 31, 23, 59, 59, 999_999_999, zone), time.Date(1, 1, 1, 0, 0, 0, 0, zone), time.Now(),
		time.Time{}.In(zone),
	} {
		type holder struct {
			At    time.Time
			Ptr   *time.Time
			List  []time.Time
			ByKey map[string]time.Time
			Deep  map[string]map[int][1]time.Time
		}
		back := roundTrip(t, holder{at, &at, []time.Time{at}, map[string]time.Time{"a": at},
			map[string]map[int][1]time.Time{"a": {1: {at}}}})
		for _, got := range []time.Time{back.At, *back.Ptr, back.List[0], back.ByKey["a"], back.Deep["a"][1][0]} {
			if got != at.UTC().Round(0) {
				t.Fatalf("%v came back as %v", at, got)
			}
		}
	}
}

func TestARichStructSurvives(t *testing.T) {
	t.Parallel()
	line, paid := wireLine{"a", 1, 2, 0.5, strings.Repeat("n", 300)}, time.Unix(5, 6)
	order := wireOrder{
		wireBase: wireBase{ID: 7, Version: 9}, Name: "né\xff", Lines: []wireLine{line, {}},
		ByKey: map[string]*wireLine{"x": &line, "nil": nil}, Counts: map[int8]uint16{-1: 1, 127: 65535},
		Flags: map[wireColor]bool{"red": true}, Total: wireMoney{1, [3]byte{'E', 'U', 'R'}}, Discount: &wireMoney{},
		Raw: []byte{0, 1}, Tags: []string{"", "t"}, Matrix: [2][3]float32{{1}, {2, 3}}, At: time.Unix(1, 2), Paid: &paid,
		Times: map[string]time.Time{"t": paid}, Took: time.Second, Next: &wireOrder{Memo: "inner"}, secret: "kept out",
	}
	back := roundTrip(t, order)
	if back.secret != "" {
		t.Fatal("a field tagged - was stored")
	}
	roundTrip(t, []wireOrder{order, {}})
	roundTrip(t, &order)
	roundTrip(t, wireTuple{X: 1, Y: -300, Name: "array"})
	roundTrip(t, map[[2]int16]wireTuple{{1, 2}: {X: 1}})
	roundTrip(t, map[wireBase]string{{1, 2}: "a struct as key"})
	roundTrip(t, map[[4]byte]int{{1, 2, 3, 4}: 5})
}

func TestTypesWithACodecOfTheirOwnSurvive(t *testing.T) {
	t.Parallel()
	type own struct {
		Addr  netip.Addr
		Link  *url.URL
		Big   *big.Int
		Ports map[netip.AddrPort]netip.Prefix
	}
	link, err := url.Parse("https://example.org/a?b=c")
	if err != nil {
		t.Fatal(err)
	}
	value := own{netip.MustParseAddr("::1"), link, big.NewInt(-12), map[netip.AddrPort]netip.Prefix{
		netip.MustParseAddrPort("1.2.3.4:5"): netip.MustParsePrefix("10.0.0.0/8"),
	}}
	back := readBack[own](t, msgpackOf(t, value))
	if back.Addr != value.Addr || *back.Link != *link || back.Big.Cmp(value.Big) != 0 ||
		!reflect.DeepEqual(back.Ports, value.Ports) {
		t.Fatalf("%+v came back as %+v", value, back)
	}
	if zero := readBack[own](t, msgpackOf(t, own{})); zero.Link != nil || zero.Big != nil || zero.Addr.IsValid() {
		t.Fatalf("the zero value came back as %+v", zero)
	}
	roundTrip(t, struct{ time.Time }{time.Unix(1, 0).UTC()})
}

func TestC72_TheOrderOfMapsDoesNotMatter(t *testing.T) {
	t.Parallel()
	value, codec := map[string]int{}, redisadapter.Msgpack[map[string]int]()
	for i := range 20 {
		value[strings.Repeat("k", i+1)] = i
	}
	different := map[string]bool{}
	for range 200 {
		payload := msgpackOf(t, value)
		different[string(payload)] = true
		var back map[string]int
		if err := codec.Decode(payload, &back); err != nil || !reflect.DeepEqual(back, value) {
			t.Fatalf("one of the encodings was read as %v, %v", back, err)
		}
	}
	if len(different) < 2 {
		t.Fatal("all encodings were the same: the test shows nothing")
	}
}

func TestAValueMayBeNested64DeepAndNoDeeper(t *testing.T) {
	t.Parallel()
	codec := redisadapter.Msgpack[*wireNode]()
	var chain *wireNode
	for range 64 {
		chain = &wireNode{1, chain}
	}
	roundTrip(t, chain)
	if _, err := codec.Append(nil, &wireNode{1, chain}); !errors.Is(err, redisadapter.ErrUnencodable) {
		t.Fatalf("65 levels: got %v, want ErrUnencodable", err)
	}
	ring := &wireNode{}
	ring.Next = ring
	if _, err := codec.Append(nil, ring); !errors.Is(err, redisadapter.ErrUnencodable) {
		t.Fatalf("a ring: got %v, want ErrUnencodable", err)
	}
	nest := wireNest{nil}
	nest[0] = nest
	if _, err := redisadapter.Msgpack[wireNest]().Append(nil, nest); !errors.Is(err, redisadapter.ErrUnencodable) {
		t.Fatalf("a slice in itself: got %v, want ErrUnencodable", err)
	}
	roundTrip(t, wireTree{Kids: []wireTree{{}, {ByID: map[string]wireTree{"a": {}}}}})
}

func TestACodecIsSharedBetweenGoroutines(t *testing.T) {
	t.Parallel()
	codec := redisadapter.Msgpack[wireOrder]()
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range 50 {
				want := richOrder()
				want.ID, want.Name = int64(i), strings.Repeat("x", j*i)
				payload, err := codec.Append(nil, want)
				var back wireOrder
				if err := errors.Join(err, codec.Decode(payload, &back)); err != nil {
					t.Error(err)
				}
				if !sameValue(reflect.ValueOf(want), reflect.ValueOf(back)) {
					t.Errorf("%+v came back as %+v", want, back)
				}
			}
		})
	}
	wg.Wait()
}
