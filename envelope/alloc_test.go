//go:build !race

// Under the race detector sync.Pool drops a part of what it is given, on
// purpose, so that counts of allocations mean nothing.

package envelope_test

import (
	"strings"
	"testing"

	"github.com/cacheaside/resilience/envelope"
)

//nolint:paralleltest // AllocsPerRun counts what the whole process allocates
func TestOnlyTheRevisionAllocates(t *testing.T) {
	for _, d := range []envelope.Digester{testDigester(), envelope.SHA256()} {
		withRevision := positive(strings.Repeat("p", 200))
		without := withRevision
		without.Revision = ""
		for _, tt := range []struct {
			entry envelope.Envelope
			want  float64
		}{{without, 0}, {withRevision, 1}, {bare(envelope.KindNegative), 0}} {
			raw, limits := mustAppend(t, tt.entry, d), noonLimits()
			buf := make([]byte, 0, len(raw))
			if got := testing.AllocsPerRun(200, func() { _ = d.Sum(key, raw) }); got != 0 {
				t.Errorf("Sum: %v allocations", got)
			}
			if got := testing.AllocsPerRun(200, func() { _, _ = envelope.Parse(raw, key, d, limits) }); got != tt.want {
				t.Errorf("Parse: %v allocations, want %v", got, tt.want)
			}
			if got := testing.AllocsPerRun(200, func() { _, _ = envelope.Append(buf, key, tt.entry, d) }); got != 0 {
				t.Errorf("Append into room: %v allocations", got)
			}
			if got := testing.AllocsPerRun(200, func() { _, _ = envelope.Append(nil, key, tt.entry, d) }); got != 1 {
				t.Errorf("Append to nil: %v allocations, want 1", got)
			}
		}
	}
}
