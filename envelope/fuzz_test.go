package envelope_test

import (
	"bytes"
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/cacheaside/resilience/envelope"
)

// FuzzParse holds for any bytes, as they are and, to get past the digest,
// sealed: no panic; an error comes alone and is one of the documented ones; and
// what is accepted has no second encoding.
func FuzzParse(f *testing.F) {
	for _, v := range readVectors(f).Vectors {
		f.Add([]byte(v.Raw), v.PhysicalKey, v.NowMillis, v.AheadMillis*int64(time.Millisecond))
		f.Add([]byte(v.Raw[:max(len(v.Raw)-envelope.DigestSize, 0)]), v.PhysicalKey, v.NowMillis, v.AheadMillis*int64(time.Millisecond))
	}
	d := testDigester()
	f.Fuzz(func(t *testing.T, raw []byte, physicalKey string, nowMillis, ahead int64) {
		limits := envelope.Limits{Now: time.UnixMilli(nowMillis), MaxAhead: time.Duration(ahead)}
		sum := [envelope.DigestSize]byte{}
		if len(physicalKey) <= envelope.MaxKeyBytes {
			sum = d.Sum(physicalKey, raw)
		}
		for _, raw := range [][]byte{raw, append(bytes.Clone(raw), sum[:]...)} {
			before := bytes.Clone(raw)
			e, err := envelope.Parse(raw, physicalKey, d, limits)
			if !bytes.Equal(raw, before) {
				t.Fatal("Parse changed the bytes it read")
			}
			if err != nil {
				mustBeZero(t, e)
				var version *envelope.VersionError
				if isVersion := errors.As(err, &version); isVersion == errors.Is(err, envelope.ErrCorrupt) {
					t.Fatalf("undocumented error %v", err)
				}
				continue
			}
			if e.HardExpiresAt.After(limits.Now.Add(max(limits.MaxAhead, 0))) || e.SoftExpiresAt.After(e.HardExpiresAt) {
				t.Fatalf("accepted soft %v, hard %v at %v", e.SoftExpiresAt, e.HardExpiresAt, limits.Now)
			}
			again, err := envelope.Append(nil, physicalKey, e, d)
			if err != nil || !bytes.Equal(again, raw) {
				t.Fatalf("encoded again: %x, %v\nwant %x", again, err, raw)
			}
		}
	})
}

// FuzzRoundTrip holds for any entry: either the refusal names a field, or the
// bytes parse to the same entry under its key, and under no other.
func FuzzRoundTrip(f *testing.F) {
	f.Add(uint8(1), uint64(1), int64(2000), int64(1000), uint32(7), "r1", []byte("hello"))
	f.Add(uint8(1), uint64(0), int64(0), int64(0), uint32(0), "", []byte{})
	f.Add(uint8(1), uint64(2), int64(253402300799999), int64(-1), uint32(1), "\xff", []byte(nil))
	f.Add(uint8(2), uint64(3), int64(1), int64(0), uint32(0), "", []byte(nil))
	f.Add(uint8(3), uint64(4), int64(-1), int64(0), uint32(0), "", []byte(nil))
	d := testDigester()
	f.Fuzz(func(t *testing.T, kind uint8, id uint64, hard, soft int64, schema uint32, revision string, payload []byte) {
		want := envelope.Envelope{Kind: envelope.Kind(kind), HardExpiresAt: at(hard), Schema: schema, Revision: revision, Payload: payload}
		for i := range want.WriteID {
			want.WriteID[i] = byte(id >> (8 * i))
		}
		if want.Kind == envelope.KindPositive {
			want.SoftExpiresAt = at(soft)
		}
		raw, err := envelope.Append([]byte("front"), key, want, d)
		if err != nil {
			var fault *envelope.FieldError
			if raw != nil || !errors.As(err, &fault) || fault.Field == "" || fault.Value == "" || fault.Rule == "" {
				t.Fatalf("refused with %d bytes, %v", len(raw), err)
			}
			return
		}
		raw = raw[len("front"):]
		limits := envelope.Limits{Now: want.HardExpiresAt}
		got, err := envelope.Parse(raw, key, d, limits)
		if err != nil {
			t.Fatal(err)
		}
		// What a reader sees of "no payload" depends on the kind alone.
		if len(payload) == 0 {
			want.Payload = nil
			if want.Kind == envelope.KindPositive {
				want.Payload = []byte{}
			}
		}
		want.Digest = d.Sum(key, raw[:len(raw)-envelope.DigestSize])
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%+v\nwant %+v", got, want)
		}
		moved, err := envelope.Parse(raw, otherKey, d, limits)
		mustBeCorrupt(t, moved, err)
	})
}
