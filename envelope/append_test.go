package envelope_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/cacheaside/resilience/envelope"
)

func TestAppendRefusesWhatTheFormatCannotHold(t *testing.T) {
	t.Parallel()
	change := func(e envelope.Envelope, f func(*envelope.Envelope)) envelope.Envelope { f(&e); return e }
	negative, tombstone := bare(envelope.KindNegative), bare(envelope.KindTombstone)
	tests := []struct {
		name        string
		entry       envelope.Envelope
		field, text string
	}{
		{"the zero value, for its time", envelope.Envelope{}, "HardExpiresAt", "before 1970"},
		{"no kind", change(negative, func(e *envelope.Envelope) { e.Kind = 0 }), "Kind", "(0) must be KindPositive"},
		{"unknown kind", change(negative, func(e *envelope.Envelope) { e.Kind = 4 }), "Kind", "(4) must be KindPositive"},
		{"hard unset", change(negative, func(e *envelope.Envelope) { e.HardExpiresAt = time.Time{} }), "HardExpiresAt", "before 1970"},
		{"hard a nanosecond before 1970", change(negative, func(e *envelope.Envelope) { e.HardExpiresAt = time.Unix(0, -1) }), "HardExpiresAt", "before 1970"},
		{"hard after the year 9999", change(negative, func(e *envelope.Envelope) { e.HardExpiresAt = at(253402300800000) }), "HardExpiresAt", "after the year 9999"},
		{"hard at the end of time", change(negative, func(e *envelope.Envelope) { e.HardExpiresAt = time.Unix(1<<63-1, 0) }), "HardExpiresAt", "after the year 9999"},
		{"soft unset", change(positive(""), func(e *envelope.Envelope) { e.SoftExpiresAt = time.Time{} }), "SoftExpiresAt", "before 1970"},
		{"soft after the year 9999", change(positive(""), func(e *envelope.Envelope) { e.SoftExpiresAt = at(253402300800000) }), "SoftExpiresAt", "after the year 9999"},
		{"soft after hard", change(positive(""), func(e *envelope.Envelope) { e.SoftExpiresAt = e.HardExpiresAt.Add(time.Millisecond) }), "SoftExpiresAt", "after HardExpiresAt"},
		{"revision too long", change(positive(""), func(e *envelope.Envelope) { e.Revision = strings.Repeat("r", 129) }), "Revision", "(129 bytes) must be at most 128 bytes"},
		{"negative with a soft expiry", change(negative, func(e *envelope.Envelope) { e.SoftExpiresAt = at(0) }), "SoftExpiresAt", "kind Negative"},
		{"negative with a schema", change(negative, func(e *envelope.Envelope) { e.Schema = 1 }), "Schema", "kind Negative"},
		{"negative with a revision", change(negative, func(e *envelope.Envelope) { e.Revision = "secret" }), "Revision", "(6 bytes) must be unset on an entry of kind Negative"},
		{"tombstone with a payload", change(tombstone, func(e *envelope.Envelope) { e.Payload = []byte("secret") }), "Payload", "(6 bytes) must be unset on an entry of kind Tombstone"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dst := make([]byte, 3, 1000)
			got, err := envelope.Append(dst, key, tt.entry, testDigester())
			mustRefuse(t, got, err, tt.field, tt.text)
			if spare := dst[:cap(dst)]; !bytes.Equal(spare, make([]byte, 1000)) {
				t.Error("a refused entry was written into dst")
			}
		})
	}
}

func TestAppendRefusesAKeyThatTheDigestCannotCover(t *testing.T) {
	t.Parallel()
	d := testDigester()
	longest := strings.Repeat("k", envelope.MaxKeyBytes)
	raw, err := envelope.Append(nil, longest, positive(""), d)
	if err != nil {
		t.Fatalf("the longest key: %v", err)
	}
	if _, err := envelope.Parse(raw, longest, d, noonLimits()); err != nil {
		t.Fatalf("the longest key: %v", err)
	}
	got, err := envelope.Append(nil, longest+"k", positive(""), d)
	mustRefuse(t, got, err, "physicalKey", "(65536 bytes) must be at most 65535 bytes")
}

func mustRefuse(t *testing.T, got []byte, err error, field, text string) {
	t.Helper()
	var fault *envelope.FieldError
	if !errors.As(err, &fault) || fault.Field != field || !strings.Contains(err.Error(), text) {
		t.Errorf("error %v, want one of field %s with %q", err, field, text)
	} else if fault.Value == "" || fault.Rule == "" || strings.Contains(err.Error(), "secret") {
		t.Errorf("error %q names no value, no rule, or content", err)
	}
	if got != nil {
		t.Errorf("the refusal came with %d bytes", len(got))
	}
}

func TestAppendKeepsWhatIsInFront(t *testing.T) {
	t.Parallel()
	d := testDigester()
	for _, e := range everyKind() {
		alone := mustAppend(t, e, d)
		got, err := envelope.Append([]byte("front"), key, e, d)
		if err != nil || string(got) != "front"+string(alone) {
			t.Fatalf("%q, %v", got, err)
		}
		room := make([]byte, 0, len(alone))
		got, err = envelope.Append(room, key, e, d)
		if err != nil || &got[0] != &room[:1][0] {
			t.Fatalf("there was room, and yet it grew: %v", err)
		}
	}
}

func TestAppendFloorsTimesAndIgnoresTheDigestField(t *testing.T) {
	t.Parallel()
	d := testDigester()
	want := mustAppend(t, positive("x"), d)
	e := positive("x")
	e.HardExpiresAt = e.HardExpiresAt.Add(time.Millisecond - 1).In(time.FixedZone("elsewhere", 3600))
	e.SoftExpiresAt = e.SoftExpiresAt.Add(1)
	e.Digest = [32]byte{1}
	if got := mustAppend(t, e, d); !bytes.Equal(got, want) {
		t.Errorf("%x\nwant %x", got, want)
	}
	e.SoftExpiresAt = positive("x").HardExpiresAt.Add(time.Millisecond - 1)
	e.HardExpiresAt = positive("x").HardExpiresAt
	if got, err := envelope.Append(nil, key, e, d); err != nil {
		t.Errorf("soft and hard in the same millisecond: %d bytes, %v", len(got), err)
	}
}

func TestTheWriteIDMakesTheDigestUnique(t *testing.T) {
	t.Parallel()
	d := testDigester()
	for _, e := range everyKind() {
		first := d.Sum(key, mustAppend(t, e, d))
		e.WriteID[7]++
		if second := d.Sum(key, mustAppend(t, e, d)); first == second {
			t.Errorf("kind %v: two writes share a digest", e.Kind)
		}
	}
}

func TestMaxOverheadIsWhatTheLargestEntryTakesBesideItsPayload(t *testing.T) {
	t.Parallel()
	e := positive(strings.Repeat("p", 1000))
	e.Revision = strings.Repeat("r", envelope.MaxRevisionBytes)
	if got := len(mustAppend(t, e, testDigester())) - 1000; got != envelope.MaxOverhead {
		t.Errorf("overhead %d, MaxOverhead is %d", got, envelope.MaxOverhead)
	}
}
