package draw

import (
	"image/color"
	"math"

	"github.com/cacheaside/resilience/bench/internal/report/figure"
)

// What a cell says instead of seconds.
const (
	never       = -1
	notMeasured = -2
)

var (
	neverColour    = color.NRGBA{A: 255}
	unmeasuredGrey = color.NRGBA{R: 0xdc, G: 0xdc, B: 0xdc, A: 255}
)

// heat gives the colour of a time to recover: pale for none, dark blue for the limit, by the logarithm of one second more. No shade comes near
// the black of never.
func heat(seconds, limit float64) color.NRGBA {
	stops := [...]color.NRGBA{hex(0xffffd9), hex(0xd6efb3), hex(0x9bd8b8), hex(0x52b9c3), hex(0x2c93c0), hex(0x2a62ab)}
	part := warmth(seconds, limit) * float64(len(stops)-1)
	i := min(int(part), len(stops)-2)
	mix := func(a, b uint8) uint8 {
		return uint8(math.Round(float64(a) + (float64(b)-float64(a))*(part-float64(i))))
	}
	a, b := stops[i], stops[i+1]
	return color.NRGBA{R: mix(a.R, b.R), G: mix(a.G, b.G), B: mix(a.B, b.B), A: 255}
}

func warmth(seconds, limit float64) float64 {
	return max(0, min(1, math.Log1p(max(0, seconds))/math.Log1p(limit)))
}

// onHeat is the colour of text on a heat colour.
func onHeat(ground color.NRGBA) color.NRGBA {
	if 299*int(ground.R)+587*int(ground.G)+114*int(ground.B) < 140_000 {
		return paper
	}
	return ink
}

// cellText is what stands in a cell.
func cellText(seconds float64) string {
	switch {
	case isNever(seconds):
		return figure.Never
	case !measured(seconds):
		return ""
	case seconds < 9.95:
		return figure.Number(math.Round(seconds*10) / 10)
	case seconds < 9999.5:
		return figure.Number(math.Round(seconds))
	default:
		return short(seconds)
	}
}

// measured tells whether a cell was measured: a value that is not allowed was not.
func measured(seconds float64) bool { return finite(seconds) && (seconds >= 0 || seconds == never) }

func isNever(seconds float64) bool { return seconds == never }
