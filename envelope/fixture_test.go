package envelope_test

import (
	"encoding/binary"
	"strings"
	"testing"
	"time"

	"github.com/cacheaside/resilience/envelope"
)

const (
	key      = "shop:product:-:{AAAAAAAAAAAAAAAAAAAAAA}:v"
	otherKey = "shop:product:-:{AAAAAAAAAAAAAAAAAAAAAB}:v"
	maxAhead = 30*24*time.Hour + time.Minute
)

func at(millis int64) time.Time { return time.UnixMilli(millis).UTC() }

// noon is the moment at which most tests take place.
func noon() time.Time { return at(1_800_000_000_000) }

func noonLimits() envelope.Limits { return envelope.Limits{Now: noon(), MaxAhead: maxAhead} }

func testDigester() envelope.Digester { return envelope.HMAC([]byte(strings.Repeat("k", 32))) }

func positive(payload string) envelope.Envelope {
	return envelope.Envelope{
		Kind:          envelope.KindPositive,
		WriteID:       [8]byte{1, 2, 3, 4, 5, 6, 7, 8},
		HardExpiresAt: noon().Add(60 * time.Second),
		SoftExpiresAt: noon().Add(10 * time.Second),
		Schema:        7,
		Revision:      "r1",
		Payload:       []byte(payload),
	}
}

func bare(kind envelope.Kind) envelope.Envelope {
	return envelope.Envelope{Kind: kind, WriteID: [8]byte{9}, HardExpiresAt: noon().Add(5 * time.Second)}
}

func everyKind() []envelope.Envelope {
	return []envelope.Envelope{positive("hello"), bare(envelope.KindNegative), bare(envelope.KindTombstone)}
}

func mustAppend(tb testing.TB, e envelope.Envelope, d envelope.Digester) []byte {
	tb.Helper()
	raw, err := envelope.Append(nil, key, e, d)
	if err != nil {
		tb.Fatal(err)
	}
	return raw
}

// seal makes any bytes authentic, so that a test reaches what comes after the
// digest.
func seal(body []byte, d envelope.Digester) []byte {
	sum := d.Sum(key, body)
	return append(append([]byte(nil), body...), sum[:]...)
}

// withTimes crafts a sound positive entry, but for the times given as they go
// on the wire.
func withTimes(tb testing.TB, d envelope.Digester, hard, soft uint64) []byte {
	tb.Helper()
	raw := mustAppend(tb, positive("hello"), d)
	body := raw[:len(raw)-envelope.DigestSize]
	binary.BigEndian.PutUint64(body[12:], hard)
	binary.BigEndian.PutUint64(body[20:], soft)
	return seal(body, d)
}
