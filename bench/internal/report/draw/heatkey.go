package draw

import (
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/cacheaside/resilience/bench/internal/report/figure"
)

// drawHeatKey draws the colour bar and names the two colours beside the scale.
func drawHeatKey(c draw.Canvas, limit float64) {
	const (
		bar    = vg.Length(360)
		height = vg.Length(14)
		shades = 72
	)
	style := textStyle(smallSize, ink)
	left, foot := c.Min.X+panelLeft, c.Min.Y+20
	step := bar / shades
	for i := range shades {
		seconds := math.Expm1((float64(i) + 0.5) / shades * math.Log1p(limit))
		x := left + vg.Length(i)*step
		// Half a pixel of overlap, or the ground would shine through between the shades.
		area := vg.Rectangle{Min: vg.Point{X: x, Y: foot}, Max: vg.Point{X: min(x+step+0.5, left+bar), Y: foot + height}}
		c.FillPolygon(heat(seconds, limit), corners(area))
	}
	frame := vg.Rectangle{Min: vg.Point{X: left, Y: foot}, Max: vg.Point{X: left + bar, Y: foot + height}}
	c.StrokeLines(stroke(ink, 0.8), append(corners(frame), frame.Min))
	last := left - 100
	for _, seconds := range heatTicks(limit) {
		x := left + bar*vg.Length(warmth(seconds, limit))
		text := figure.Number(seconds)
		if half := widthOf(style, text) / 2; x-half > last+6 && (seconds == limit || x+half < left+bar-widthOf(style, figure.Number(limit))) {
			c.StrokeLine2(stroke(ink, 0.8), x, foot, x, foot-4)
			c.FillText(at(style, 0.5, 1), vg.Point{X: x, Y: foot - 5}, text)
			last = x + half
		}
	}
	c.FillText(at(style, 0, 0), vg.Point{X: left, Y: foot + height + 5}, "seconds from the end of the slow-down until recovered")

	x := left + bar + 40
	for _, other := range []struct {
		seconds float64
		text    string
	}{
		{never, "never: not within " + figure.Seconds(limit)}, {notMeasured, "not measured"},
	} {
		drawCell(c, vg.Rectangle{Min: vg.Point{X: x, Y: foot - 2}, Max: vg.Point{X: x + 24, Y: foot + height + 2}}, other.seconds, limit, false)
		c.FillText(at(style, 0, 0.5), vg.Point{X: x + 31, Y: foot + height/2}, other.text)
		x += 31 + widthOf(style, other.text) + 32
	}
}

// heatTicks gives 0, then 1, 3, 10, 30 and so on, then the limit.
func heatTicks(limit float64) []float64 {
	ticks := []float64{0}
	for decade := 1.0; decade < limit; decade *= 10 {
		ticks = append(ticks, decade)
		if decade*3 < limit {
			ticks = append(ticks, decade*3)
		}
	}
	return append(ticks, limit)
}
