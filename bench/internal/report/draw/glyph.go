package draw

import (
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// polygon is a glyph of so many corners, the first one turned from the right by the angle. A hollow one has a white inside, which covers the line
// it stands on.
type polygon struct {
	corners int
	turned  float64
	hollow  bool
}

// DrawGlyph implements draw.GlyphDrawer.
func (p polygon) DrawGlyph(c *draw.Canvas, style draw.GlyphStyle, at vg.Point) {
	radius := style.Radius
	if p.corners < 5 {
		radius *= 1.15 // corners take less area than a circle
	}
	points := make([]vg.Point, p.corners)
	for i := range points {
		sin, cos := math.Sincos(p.turned + 2*math.Pi*float64(i)/float64(p.corners))
		points[i] = vg.Point{X: at.X + radius*vg.Length(cos), Y: at.Y + radius*vg.Length(sin)}
	}
	if !p.hollow {
		c.FillPolygon(style.Color, points)
		return
	}
	c.FillPolygon(paper, points)
	c.StrokeLines(stroke(style.Color, 1.4), append(points, points[0]))
}

// cross is two strokes.
type cross struct{}

// DrawGlyph implements draw.GlyphDrawer.
func (cross) DrawGlyph(c *draw.Canvas, style draw.GlyphStyle, at vg.Point) {
	r := style.Radius * 0.8
	line := stroke(style.Color, 1.6)
	c.StrokeLine2(line, at.X-r, at.Y-r, at.X+r, at.Y+r)
	c.StrokeLine2(line, at.X-r, at.Y+r, at.X+r, at.Y-r)
}

func glyph(i int) draw.GlyphDrawer {
	const (
		up   = math.Pi / 2
		flat = math.Pi / 4
		many = 16 // a circle
	)
	shapes := [...]draw.GlyphDrawer{
		polygon{corners: many}, polygon{corners: 4, turned: flat}, polygon{corners: 3, turned: up}, polygon{corners: 4}, cross{},
		polygon{corners: 3, turned: -up}, polygon{corners: many, hollow: true}, polygon{corners: 4, turned: flat, hollow: true},
		polygon{corners: 3, turned: up, hollow: true}, polygon{corners: 4, hollow: true}, polygon{corners: 5, turned: up},
	}
	return shapes[i%len(shapes)]
}
