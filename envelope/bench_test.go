package envelope_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"strings"
	"testing"

	"github.com/cacheaside/resilience/envelope"
)

// freshHMAC is the alternative that HMAC was measured against: a new state for
// every sum.
type freshHMAC struct{ key []byte }

func (f freshHMAC) Sum(physicalKey string, body []byte) (sum [envelope.DigestSize]byte) {
	mac := hmac.New(sha256.New, f.key)
	mac.Write(input(physicalKey, nil))
	mac.Write(body)
	mac.Sum(sum[:0])
	return sum
}

func benchmarkEach(b *testing.B, run func(b *testing.B, d envelope.Digester, payload string)) {
	for _, size := range []struct {
		name  string
		bytes int
	}{{"200B", 200}, {"10KB", 10_000}} {
		payload := strings.Repeat("p", size.bytes)
		for _, digester := range []struct {
			name string
			d    envelope.Digester
		}{{"hmac", testDigester()}, {"sha256", envelope.SHA256()}, {"fresh-hmac", freshHMAC{[]byte(strings.Repeat("k", 32))}}} {
			b.Run(digester.name+"/"+size.name, func(b *testing.B) {
				b.ReportAllocs()
				b.SetBytes(int64(size.bytes))
				run(b, digester.d, payload)
			})
		}
	}
}

func BenchmarkSum(b *testing.B) {
	benchmarkEach(b, func(b *testing.B, d envelope.Digester, payload string) {
		body := []byte(payload)
		for b.Loop() {
			d.Sum(key, body)
		}
	})
}

func BenchmarkParse(b *testing.B) {
	benchmarkEach(b, func(b *testing.B, d envelope.Digester, payload string) {
		raw, limits := mustAppend(b, positive(payload), d), noonLimits()
		for b.Loop() {
			if _, err := envelope.Parse(raw, key, d, limits); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkAppend(b *testing.B) {
	benchmarkEach(b, func(b *testing.B, d envelope.Digester, payload string) {
		e, buf := positive(payload), make([]byte, 0, len(payload)+envelope.MaxOverhead)
		for b.Loop() {
			if _, err := envelope.Append(buf, key, e, d); err != nil {
				b.Fatal(err)
			}
		}
	})
}
