package draw

import (
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
)

// tickStep is 1, 2 or 5 times a power of ten, so that the range has about so many steps.
func tickStep(low, high float64, about int) float64 {
	rough := (high/2 - low/2) / float64(about) * 2
	power := math.Pow(10, math.Floor(math.Log10(rough)))
	for _, factor := range [...]float64{1, 2, 5} {
		if power*factor >= rough*0.75 {
			return power * factor
		}
	}
	return power * 10
}

// ticks gives the marks of an axis and their labels; those without a label are minor.
func (s scale) ticks(about int) []plot.Tick {
	if s.log {
		return s.logarithmic(about)
	}
	step := tickStep(s.min, s.max, about)
	var ticks []plot.Tick
	for i := math.Ceil(s.min/step - 1e-9); i <= s.max/step+1e-9 && len(ticks) < 100; i++ {
		value := i * step
		if i == 0 {
			value = 0
		}
		ticks = append(ticks, plot.Tick{Value: value, Label: tickLabel(value, max(math.Abs(s.min), math.Abs(s.max)), step)})
	}
	return ticks
}

func (s scale) logarithmic(about int) []plot.Tick {
	first, last := math.Floor(math.Log10(s.min)+1e-9), math.Ceil(math.Log10(s.max)-1e-9)
	every := max(1, math.Ceil((last-first)/float64(about+2)))
	var ticks []plot.Tick
	for exponent := first; exponent <= last; exponent++ {
		decade := math.Pow(10, exponent)
		for _, factor := range [...]float64{1, 2, 3, 4, 5, 6, 7, 8, 9} {
			value := decade * factor
			label := ""
			switch {
			case factor == 1 && math.Mod(exponent-first, every) == 0, s.max/s.min < 150 && (factor == 2 || factor == 5):
				label = decadeLabel(value)
			case every > 1 && factor > 1, every > 4: // minor marks of many decades would be a smear
				continue
			}
			if value < s.min*(1-1e-9) || value > s.max*(1+1e-9) || !finite(value) {
				continue
			}
			if s.zero && value < s.min*9.99 { // between the foot, which is zero, and the first decade there are no values
				continue
			}
			ticks = append(ticks, plot.Tick{Value: value, Label: label})
		}
	}
	if s.zero {
		ticks = append(ticks, plot.Tick{Value: s.min, Label: "0"})
	}
	return ticks
}

// tickLabel writes a tick as its neighbours are written: with the same prefix and the decimals that the step needs.
func tickLabel(value, size, step float64) string {
	if value == 0 {
		return "0"
	}
	factor, prefix := prefixOf(size)
	if prefix == "" && (size >= 1e15 || step < 1e-6) {
		return short(value)
	}
	decimals := max(0, int(math.Ceil(-math.Log10(step/factor)-1e-9)))
	return strings.Replace(strconv.FormatFloat(value/factor, 'f', decimals, 64), "-", "−", 1) + prefix
}

func decadeLabel(value float64) string {
	factor, prefix := prefixOf(value)
	if prefix == "" && (value >= 1e15 || value < 0.9e-4) {
		return short(value)
	}
	return strconv.FormatFloat(math.Round(value/factor*1e9)/1e9, 'f', -1, 64) + prefix
}

func short(value float64) string {
	return strings.Replace(strings.Replace(strconv.FormatFloat(value, 'g', 3, 64), "e+", "e", 1), "e-0", "e-", 1)
}

func prefixOf(size float64) (float64, string) {
	switch {
	case size >= 1e15:
		return 1, ""
	case size >= 1e12*0.99999:
		return 1e12, "T"
	case size >= 1e9*0.99999:
		return 1e9, "G"
	case size >= 1e6*0.99999:
		return 1e6, "M"
	case size >= 1e4*0.99999:
		return 1e3, "k"
	default:
		return 1, ""
	}
}
