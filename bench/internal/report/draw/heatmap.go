package draw

import (
	"fmt"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/cacheaside/resilience/bench/internal/report/figure"
	"github.com/cacheaside/resilience/bench/internal/result"
)

const (
	panelColumns = 3
	panelGap     = vg.Length(22)
	panelLeft    = vg.Length(52) // of the cells: the vertical axis
	panelTop     = vg.Length(42) // above the cells: two rows of title
	panelBottom  = vg.Length(44) // below the cells: the horizontal axis
	keyHeight    = vg.Length(58)
)

// MapWidth is the width of every map.
const MapWidth = 1080

// Map draws one panel for each contender, and below them what the colours mean. Cells that a panel lacks, or holds a value in that is not
// allowed, are drawn as not measured. An error is one of the canvas, which writes to memory.
func Map(m result.Map) (SVG, error) {
	columns := max(1, min(panelColumns, len(m.Panels)))
	rows := (len(m.Panels) + columns - 1) / columns
	inside := MapWidth - 2*border
	width := (inside - panelGap*(panelColumns-1)) / panelColumns
	cells := vg.Length(min(260, max(120, 24*len(m.Triggers))))
	title := wrap(titleStyle(), m.Title, inside, 2)
	top := vg.Length(len(title))*titleRow + 6
	panel := panelTop + cells + panelBottom
	height := 2*border + top + vg.Length(rows)*(panel+10) + keyHeight

	return render(MapWidth, height, label("map", m.Title, headlines(m)), func(c draw.Canvas) {
		c = draw.Crop(c, border, -border, border, -border)
		for i, line := range title {
			c.FillText(at(titleStyle(), 0, 1), vg.Point{X: c.Min.X, Y: c.Max.Y - vg.Length(i)*titleRow}, line)
		}
		for i := range m.Panels {
			left := c.Min.X + vg.Length(i%columns)*(width+panelGap)
			ceiling := c.Max.Y - top - vg.Length(i/columns)*(panel+10)
			drawPanel(draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
				Min: vg.Point{X: left, Y: ceiling - panel}, Max: vg.Point{X: left + width, Y: ceiling},
			}}, m, m.Panels[i])
		}
		drawHeatKey(draw.Crop(c, 0, 0, 0, keyHeight-(c.Max.Y-c.Min.Y)), limit(m))
	})
}

// Headline says which part of a panel is black.
func Headline(p result.MapPanel) string {
	if !finite(p.Black) {
		return "never recovers: not measured"
	}
	return "never recovers in " + figure.Percent(p.Black) + " of the cells"
}

func headlines(m result.Map) string {
	text := ""
	for _, p := range m.Panels {
		text += fmt.Sprintf("%s: %s. ", figure.Name(p.Contender, p.Name), Headline(p))
	}
	return text
}

// limit is the end of the colour scale: how long was waited, or the longest recovery where that is not said.
func limit(m result.Map) float64 {
	longest := 1.0
	if finite(m.LimitSeconds) && m.LimitSeconds > 0 {
		return clamp(m.LimitSeconds)
	}
	for _, panel := range m.Panels {
		for _, row := range panel.Cells {
			for _, seconds := range row {
				if measured(seconds) {
					longest = max(longest, clamp(seconds))
				}
			}
		}
	}
	return longest
}
