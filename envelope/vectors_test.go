package envelope_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"testing"
	"time"

	"github.com/cacheaside/resilience/envelope"
)

type vectorFile struct {
	HMACKey hexBytes       `json:"hmac_key"`
	Digests []digestVector `json:"digests"`
	Vectors []vector       `json:"vectors"`
}

type digestVector struct {
	Digester    string   `json:"digester"`
	PhysicalKey string   `json:"physical_key"`
	Body        hexBytes `json:"body"`
	Digest      hexBytes `json:"digest"`
}

type vector struct {
	Name        string        `json:"name"`
	Want        string        `json:"want"`
	Digester    string        `json:"digester"`
	PhysicalKey string        `json:"physical_key"`
	NowMillis   int64         `json:"now_ms"`
	AheadMillis int64         `json:"max_ahead_ms"`
	Raw         hexBytes      `json:"raw"`
	Fields      *vectorFields `json:"fields"`
}

type vectorFields struct {
	WriteID    hexBytes `json:"write_id"`
	HardMillis int64    `json:"hard_ms"`
	SoftMillis int64    `json:"soft_ms"`
	Schema     uint32   `json:"schema"`
	Revision   hexBytes `json:"revision"`
	Payload    hexBytes `json:"payload"`
}

type hexBytes []byte

func (h *hexBytes) UnmarshalText(text []byte) (err error) {
	*h, err = hex.DecodeString(string(text))
	return err
}

func readVectors(tb testing.TB) vectorFile {
	tb.Helper()
	data, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		tb.Fatal(err)
	}
	var f vectorFile
	if err := json.Unmarshal(data, &f); err != nil {
		tb.Fatal(err)
	}
	return f
}

func (f vectorFile) digester(tb testing.TB, name string) envelope.Digester {
	tb.Helper()
	switch name {
	case "hmac":
		return envelope.HMAC(f.HMACKey)
	case "sha256":
		return envelope.SHA256()
	}
	tb.Fatalf("unknown digester %q", name)
	return nil
}

func (v vector) limits() envelope.Limits {
	return envelope.Limits{Now: time.UnixMilli(v.NowMillis), MaxAhead: time.Duration(v.AheadMillis) * time.Millisecond}
}

// envelope is the entry that the fields describe.
func (v vector) envelope(kind envelope.Kind) envelope.Envelope {
	e := envelope.Envelope{
		Kind:          kind,
		WriteID:       [8]byte(v.Fields.WriteID),
		HardExpiresAt: time.UnixMilli(v.Fields.HardMillis).UTC(),
		Digest:        [32]byte(v.Raw[len(v.Raw)-32:]),
	}
	if kind == envelope.KindPositive {
		e.SoftExpiresAt = time.UnixMilli(v.Fields.SoftMillis).UTC()
		e.Schema = v.Fields.Schema
		e.Revision = string(v.Fields.Revision)
		e.Payload = v.Fields.Payload
	}
	return e
}

func TestDigestsAreThoseOfThePublishedVectors(t *testing.T) {
	t.Parallel()
	file := readVectors(t)
	if len(file.Digests) != 24 {
		t.Fatalf("%d digest vectors, want 24", len(file.Digests))
	}
	for i, v := range file.Digests {
		if got := file.digester(t, v.Digester).Sum(v.PhysicalKey, v.Body); !bytes.Equal(got[:], v.Digest) {
			t.Errorf("vector %d: digest %x, want %x", i, got, v.Digest)
		}
	}
}

// TestPublishedVectorsGiveTheResultTheyName knows a closed list of results and
// how often each is expected: a vector lost or added without this test knowing
// is a failure.
func TestPublishedVectorsGiveTheResultTheyName(t *testing.T) {
	t.Parallel()
	file := readVectors(t)
	kinds := map[string]envelope.Kind{
		"positive": envelope.KindPositive, "negative": envelope.KindNegative, "tombstone": envelope.KindTombstone,
	}
	left := map[string]int{"positive": 8, "negative": 2, "tombstone": 2, "retired": 2, "future": 6, "corrupt": 38}
	for _, v := range file.Vectors {
		left[v.Want]--
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			d := file.digester(t, v.Digester)
			before := bytes.Clone(v.Raw)
			got, err := envelope.Parse(v.Raw, v.PhysicalKey, d, v.limits())
			switch v.Want {
			case "positive", "negative", "tombstone":
				want := v.envelope(kinds[v.Want])
				if err != nil || !reflect.DeepEqual(got, want) {
					t.Fatalf("Parse: %+v, %v\nwant %+v", got, err, want)
				}
				again, err := envelope.Append(nil, v.PhysicalKey, want, d)
				if err != nil || !bytes.Equal(again, v.Raw) {
					t.Fatalf("Append: %x, %v\nwant %x", again, err, v.Raw)
				}
			case "retired", "future":
				var version *envelope.VersionError
				if !errors.As(err, &version) {
					t.Fatalf("error %v, want a VersionError", err)
				}
				want := envelope.VersionError{Version: v.Raw[2], Digest: [32]byte(v.Raw[len(v.Raw)-32:])}
				if *version != want || version.Retired() != (v.Want == "retired") || version.Future() != (v.Want == "future") {
					t.Fatalf("%+v, retired %t, future %t", *version, version.Retired(), version.Future())
				}
				mustBeZero(t, got)
			case "corrupt":
				mustBeCorrupt(t, got, err)
			default:
				t.Fatalf("unknown result %q", v.Want)
			}
			if !bytes.Equal(v.Raw, before) {
				t.Error("Parse changed the bytes it read")
			}
		})
	}
	for want, n := range left {
		if n != 0 {
			t.Errorf("vectors with result %q: %d fewer than expected", want, n)
		}
	}
}

func mustBeZero(tb testing.TB, e envelope.Envelope) {
	tb.Helper()
	if !reflect.DeepEqual(e, envelope.Envelope{}) {
		tb.Fatalf("an error came with %+v, want the zero value", e)
	}
}

func mustBeCorrupt(tb testing.TB, e envelope.Envelope, err error) {
	tb.Helper()
	if !errors.Is(err, envelope.ErrCorrupt) {
		tb.Fatalf("error %v, want ErrCorrupt", err)
	}
	var version *envelope.VersionError
	if errors.As(err, &version) {
		tb.Fatal("a corrupt entry handed out an observation")
	}
	mustBeZero(tb, e)
}
