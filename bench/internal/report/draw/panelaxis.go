package draw

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/cacheaside/resilience/bench/internal/report/figure"
	"github.com/cacheaside/resilience/bench/internal/result"
)

// drawPanelAxes labels columns and rows at their middles, and as few of them as stand apart.
func drawPanelAxes(c draw.Canvas, area vg.Rectangle, m result.Map) {
	style := textStyle(11, ink)
	across := (area.Max.X - area.Min.X) / vg.Length(max(1, len(m.Utilisations)))
	last := area.Min.X - 100
	for i, utilisation := range m.Utilisations {
		text := figure.Number(utilisation)
		x, half := area.Min.X+(vg.Length(i)+0.5)*across, widthOf(style, text)/2
		if x-half > last+4 {
			c.FillText(at(style, 0.5, 1), vg.Point{X: x, Y: area.Min.Y - 4}, text)
			last = x + half
		}
	}
	up := (area.Max.Y - area.Min.Y) / vg.Length(max(1, len(m.Triggers)))
	last = area.Min.Y - 100
	for i, trigger := range m.Triggers {
		y := area.Min.Y + (vg.Length(i)+0.5)*up
		if y-5 > last {
			c.FillText(at(style, 1, 0.5), vg.Point{X: area.Min.X - 5, Y: y}, fit(style, figure.Number(trigger), panelLeft-20))
			last = y + 6
		}
	}
	middle := vg.Point{X: (area.Min.X + area.Max.X) / 2, Y: (area.Min.Y + area.Max.Y) / 2}
	c.FillText(at(textStyle(smallSize, ink), 0.5, 1), vg.Point{X: middle.X, Y: area.Min.Y - 20}, "utilisation of the source")
	turned := at(textStyle(smallSize, ink), 0.5, 1)
	turned.Rotation = quarterTurn
	c.FillText(turned, vg.Point{X: c.Min.X, Y: middle.Y}, "slow-down (s)")
}

const quarterTurn = 1.5707963267948966
