package draw

import (
	"math"

	"gonum.org/v1/plot"

	"github.com/cacheaside/resilience/bench/internal/result"
)

// largest is as far as values are drawn: further ones would leave no room for the arithmetic between them.
const largest = 1e300

// scale is where values lie along one axis.
type scale struct {
	log      bool
	min, max float64
	// zero is set on a logarithmic axis with values that have no logarithm: they are drawn at its foot, which is labelled 0.
	zero bool
}

// newScale makes the scale that holds all values, or what the axis says where it says something. A linear vertical axis begins at zero where no
// value is below it and ends at a tick; a horizontal one is tight.
func newScale(axis result.Axis, values []float64, tight bool) scale {
	low, high, zero := extent(values, axis.Log)
	s := scale{log: axis.Log, min: low, max: high, zero: zero}
	switch {
	case axis.Log && tight && !zero && low < high:
		// as it is
	case axis.Log:
		s.min, s.max = decades(low, high)
		if zero {
			s.min = math.Pow(10, math.Floor(math.Log10(s.min)+1e-9)-1)
		}
	case !tight:
		s.min, s.max = rounded(low, high)
	case low == high:
		s.min, s.max = low-spread(low), high+spread(high)
	}
	given := func(bound float64) bool { return bound != 0 && finite(bound) && (!axis.Log || bound > 0) }
	if given(axis.Min) {
		s.min, s.zero = clamp(axis.Min), false
	}
	if given(axis.Max) {
		s.max = clamp(axis.Max)
	}
	if s.max <= s.min {
		if axis.Log {
			s.max = s.min * 10
		} else {
			s.max = s.min + spread(s.min)
		}
	}
	return s
}

// extent is the least and the greatest value that can be drawn, and whether there are some that only an axis with a zero can show.
func extent(values []float64, log bool) (low, high float64, zero bool) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, v := range values {
		switch {
		case !finite(v):
		case log && v <= 0:
			zero = true
		default:
			low, high = min(low, clamp(v)), max(high, clamp(v))
		}
	}
	if low > high && log {
		return 1, 10, zero
	}
	if low > high {
		return 0, 1, zero
	}
	return low, high, zero
}

// decades widens a range to whole decades, or to the next 1, 2 or 5 where that leaves less than half of the axis empty.
func decades(low, high float64) (float64, float64) {
	if low == high {
		low, high = low/2, high*2
	}
	down, up := math.Pow(10, math.Floor(math.Log10(low)+1e-9)), math.Pow(10, math.Ceil(math.Log10(high)-1e-9))
	if up <= down {
		return down, down * 10
	}
	if up/down <= 100 {
		for _, step := range [...]float64{5, 2} {
			if down*step <= low {
				down *= step
				break
			}
		}
		for _, step := range [...]float64{5, 2} {
			if up/step >= high && up/step > down {
				up /= step
				break
			}
		}
	}
	return max(down, 1e-300), up
}

// rounded widens a range to ticks, and to zero where no value is below it.
func rounded(low, high float64) (float64, float64) {
	if low >= 0 {
		low = 0
	} else if high <= 0 {
		high = 0
	}
	if low == high {
		return 0, 1
	}
	step := tickStep(low, high, 5)
	low, up := math.Floor(low/step+1e-9)*step, math.Ceil(high/step-1e-9)*step
	if room := (up - low) * 0.04; up-high < room {
		up += room // a line along the upper edge would be taken for the frame
	}
	return low, up
}

func spread(v float64) float64 {
	if v == 0 {
		return 1
	}
	return math.Abs(v) / 2
}

// place is where a value is drawn, in the units of the axis; nothing where it cannot be.
func (s scale) place(v float64) (float64, bool) {
	switch {
	case !finite(v):
		return 0, false
	case s.log && v <= 0:
		return s.min, true
	default:
		return clamp(v), true
	}
}

func (s scale) normalizer() plot.Normalizer {
	if s.log {
		return plot.LogScale{}
	}
	return plot.LinearScale{}
}

func clamp(v float64) float64 { return max(-largest, min(largest, v)) }

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
