package draw

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/cacheaside/resilience/bench/internal/result"
)

// curve draws one line of a plot. It is interrupted where a value is not a number.
type curve struct {
	line  result.Line
	look  look
	x, y  scale
	every bool    // a glyph at each point, else only now and then
	now   bool    // now and then
	phase float64 // where in the distance between two glyphs the first one stands, so that those of different lines do not meet
}

// Plot implements plot.Plotter.
func (u curve) Plot(c draw.Canvas, p *plot.Plot) {
	for _, stretch := range u.stretches(c, p) {
		if len(stretch) == 1 {
			c.DrawGlyph(u.look.glyph, stretch[0])
			continue
		}
		path := stretch
		if u.line.Steps {
			path = steps(stretch)
		}
		visible := c.ClipLinesXY(simplified(path))
		c.StrokeLines(u.look.line, visible...)
		switch {
		case u.every:
			for _, point := range stretch {
				c.DrawGlyph(u.look.glyph, point)
			}
		case u.now:
			u.glyphs(c, visible)
		}
	}
}

func (u curve) glyphs(c draw.Canvas, visible [][]vg.Point) {
	distance := (c.Max.X - c.Min.X) / 6
	next := c.Min.X + distance*vg.Length(u.phase)
	for _, points := range visible {
		for _, point := range points {
			if point.X < next {
				continue
			}
			c.DrawGlyph(u.look.glyph, point)
			next += distance * vg.Length(math.Ceil(float64((point.X-next)/distance)+1e-9))
			if next <= point.X {
				next += distance
			}
		}
	}
}

// stretches gives the points on the canvas, apart where the line is interrupted.
func (u curve) stretches(c draw.Canvas, p *plot.Plot) [][]vg.Point {
	var all [][]vg.Point
	var current []vg.Point
	for _, point := range u.line.Data {
		x, xThere := u.x.place(point.X)
		y, yThere := u.y.place(point.Y)
		if !xThere || !yThere {
			if len(current) > 0 {
				all = append(all, current)
			}
			current = nil
			continue
		}
		current = append(current, vg.Point{X: c.X(near(p.X.Norm(x))), Y: c.Y(near(p.Y.Norm(y)))})
	}
	if len(current) > 0 {
		all = append(all, current)
	}
	return all
}

// near keeps points far outside of the canvas where they can be reckoned with.
func near(part float64) float64 { return max(-1e4, min(1e4, part)) }

// steps holds each value until the next.
func steps(points []vg.Point) []vg.Point {
	path := make([]vg.Point, 0, 2*len(points))
	for i, point := range points {
		if i > 0 {
			path = append(path, vg.Point{X: point.X, Y: points[i-1].Y})
		}
		path = append(path, point)
	}
	return path
}

// simplified leaves out points that are too near to the one before to be seen.
func simplified(points []vg.Point) []vg.Point {
	const visible = 0.15
	kept := points[:1:1]
	for i, point := range points[1:] {
		last := kept[len(kept)-1]
		if i == len(points)-2 || math.Abs(float64(point.X-last.X)) > visible || math.Abs(float64(point.Y-last.Y)) > visible {
			kept = append(kept, point)
		}
	}
	return kept
}
