package draw

import (
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/cacheaside/resilience/bench/internal/result"
)

// cell is what a panel holds for a trigger and a utilisation; what it does not hold was not measured.
func cell(p result.MapPanel, trigger, utilisation int) float64 {
	if trigger >= len(p.Cells) || utilisation >= len(p.Cells[trigger]) {
		return notMeasured
	}
	return p.Cells[trigger][utilisation]
}

// drawCell fills a cell and writes its value into it. One that was not measured is grey with a stroke through it, so that it cannot be taken for
// a colour of the scale.
func drawCell(c draw.Canvas, area vg.Rectangle, seconds, limit float64, legible bool) {
	ground := cellColour(seconds, limit)
	c.FillPolygon(ground, corners(area))
	if !measured(seconds) {
		c.StrokeLine2(stroke(color.NRGBA{R: 0xa8, G: 0xa8, B: 0xa8, A: 255}, 1), area.Min.X, area.Min.Y, area.Max.X, area.Max.Y)
	}
	c.StrokeLines(stroke(paper, 0.6), append(corners(area), area.Min))
	if legible {
		middle := vg.Point{X: (area.Min.X + area.Max.X) / 2, Y: (area.Min.Y + area.Max.Y) / 2}
		c.FillText(at(textStyle(cellSize, onHeat(ground)), 0.5, 0.5), middle, cellText(seconds))
	}
}

func cellColour(seconds, limit float64) color.NRGBA {
	switch {
	case !measured(seconds):
		return unmeasuredGrey
	case isNever(seconds):
		return neverColour
	default:
		return heat(seconds, limit)
	}
}
