package draw

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// grid draws a line at each labelled tick.
type grid struct{ x, y []plot.Tick }

// Plot implements plot.Plotter.
func (g grid) Plot(c draw.Canvas, p *plot.Plot) {
	style := stroke(gridline, 1)
	for _, tick := range g.x {
		if x := c.X(p.X.Norm(tick.Value)); tick.Label != "" && c.ContainsX(x) {
			c.StrokeLine2(style, x, c.Min.Y, x, c.Max.Y)
		}
	}
	for _, tick := range g.y {
		if y := c.Y(p.Y.Norm(tick.Value)); tick.Label != "" && c.ContainsY(y) {
			c.StrokeLine2(style, c.Min.X, y, c.Max.X, y)
		}
	}
}

// frame draws the edges that the axes leave open, and what there is to say about a plot without data.
type frame struct{ empty bool }

// Plot implements plot.Plotter.
func (f frame) Plot(c draw.Canvas, _ *plot.Plot) {
	edge := corners(c.Rectangle)
	c.StrokeLines(stroke(gridline, 1), []vg.Point{edge[1], edge[2], edge[3]})
	if f.empty {
		c.FillText(at(textStyle(labelSize, faint), 0.5, 0.5), c.Center(), "no data")
	}
}
