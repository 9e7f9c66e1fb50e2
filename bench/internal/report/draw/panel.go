package draw

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/cacheaside/resilience/bench/internal/report/figure"
	"github.com/cacheaside/resilience/bench/internal/result"
)

func drawPanel(c draw.Canvas, m result.Map, p result.MapPanel) {
	name := figure.Name(p.Contender, p.Name)
	strong, plain := bold(textStyle(labelSize, ink)), textStyle(smallSize, ink)
	width := c.Max.X - c.Min.X
	c.FillText(at(strong, 0, 1), vg.Point{X: c.Min.X, Y: c.Max.Y}, fit(strong, name, width))
	c.FillText(at(plain, 0, 1), vg.Point{X: c.Min.X, Y: c.Max.Y - 18}, fit(plain, Headline(p), width))

	area := vg.Rectangle{
		Min: vg.Point{X: c.Min.X + panelLeft, Y: c.Min.Y + panelBottom}, Max: vg.Point{X: c.Max.X, Y: c.Max.Y - panelTop},
	}
	across, up := len(m.Utilisations), len(m.Triggers)
	if across == 0 || up == 0 {
		c.FillText(at(plain, 0.5, 0.5), vg.Point{X: (area.Min.X + area.Max.X) / 2, Y: (area.Min.Y + area.Max.Y) / 2}, "no data")
	} else {
		drawCells(c, area, p, across, up, limit(m))
	}
	c.StrokeLines(stroke(ink, 1), append(corners(area), area.Min))
	drawPanelAxes(c, area, m)
}

// drawCells draws the rows from the shortest trigger at the foot to the longest at the top.
func drawCells(c draw.Canvas, area vg.Rectangle, p result.MapPanel, across, up int, limit float64) {
	width, height := (area.Max.X-area.Min.X)/vg.Length(across), (area.Max.Y-area.Min.Y)/vg.Length(up)
	style := textStyle(cellSize, ink)
	// Numbers are written in all cells of a panel or in none; black says never by itself.
	fits := func(text string) bool { return height >= cellSize+2 && widthOf(style, text) <= width-5 }
	numbers, words := true, fits(figure.Never)
	for row := range up {
		for column := range across {
			if seconds := cell(p, row, column); !isNever(seconds) {
				numbers = numbers && fits(cellText(seconds))
			}
		}
	}
	for row := range up {
		for column := range across {
			corner := vg.Point{X: area.Min.X + vg.Length(column)*width, Y: area.Min.Y + vg.Length(row)*height}
			seconds := cell(p, row, column)
			legible := numbers && !isNever(seconds) || words && isNever(seconds)
			drawCell(c, vg.Rectangle{Min: corner, Max: corner.Add(vg.Point{X: width, Y: height})}, seconds, limit, legible)
		}
	}
}
