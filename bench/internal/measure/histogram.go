package measure

import (
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/cacheaside/resilience/bench/internal/result"
)

// Durations are kept in microseconds, up to ten minutes, to three significant digits; longer ones count as ten minutes.
const (
	longest     = 10 * time.Minute
	wholeDigits = 3
	roughDigits = 2 // for the many histograms that are one second each
)

func newHistogram(digits int) *hdrhistogram.Histogram {
	return hdrhistogram.New(1, longest.Microseconds(), digits)
}

func observe(h *hdrhistogram.Histogram, d time.Duration) {
	_ = h.RecordValue(min(max(d.Microseconds(), 0), longest.Microseconds())) // held to its range, it cannot fail
}

func milliseconds(microseconds float64) float64 { return microseconds / 1000 }

// distribution gives the figures of a histogram, and its tail where asked.
func distribution(h *hdrhistogram.Histogram, tail bool) result.Latency {
	if h == nil || h.TotalCount() == 0 {
		return result.Latency{}
	}
	at := func(q float64) float64 { return milliseconds(float64(h.ValueAtQuantile(q))) }
	latency := result.Latency{
		Count: h.TotalCount(), Mean: milliseconds(h.Mean()), Max: milliseconds(float64(h.Max())),
		P50: at(50), P90: at(90), P99: at(99), P999: at(99.9),
	}
	if tail {
		latency.Tail = tailOf(h)
	}
	return latency
}

// tailOf gives the complementary distribution at the values that occurred, thinned where neighbours differ by less than two per cent in value.
func tailOf(h *hdrhistogram.Histogram) []result.Point {
	const step = 1.02
	total := float64(h.TotalCount())
	var tail []result.Point
	seen, last := int64(0), 0.0
	for _, bar := range h.Distribution() {
		if bar.Count == 0 {
			continue
		}
		seen += bar.Count
		value := milliseconds(float64(bar.To))
		above := float64(h.TotalCount()-seen) / total
		if value < last*step && above > 0 {
			continue
		}
		last = value
		tail = append(tail, result.Point{X: value, Y: above})
	}
	return tail
}
