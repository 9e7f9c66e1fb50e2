package draw

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/cacheaside/resilience/bench/internal/result"
)

// legend names the lines below the plot, in rows.
type legend struct {
	entries []entry
	height  vg.Length
}

type entry struct {
	name  string
	look  look
	glyph bool
	x, y  vg.Length // of its left end, y downwards from the top of the legend
}

const (
	legendRow   = vg.Length(19)
	legendThumb = vg.Length(32)
	legendGap   = vg.Length(20)
)

func newLegend(lines []result.Line, looks []look, glyphs bool, width vg.Length) legend {
	var l legend
	style := legendStyle()
	x := vg.Length(0)
	for i, line := range lines {
		name := line.Name
		if name == "" {
			name = line.Contender
		}
		name = fit(style, name, width*0.6)
		if name == "" {
			continue
		}
		taken := legendThumb + 6 + widthOf(style, name)
		if x > 0 && x+taken > width {
			x, l.height = 0, l.height+legendRow
		}
		l.entries = append(l.entries, entry{name: name, look: looks[i], glyph: glyphs || line.Points, x: x, y: l.height})
		x += taken + legendGap
	}
	if len(l.entries) > 0 {
		l.height += legendRow
	}
	return l
}

func (l legend) draw(c draw.Canvas) {
	for _, e := range l.entries {
		x, y := c.Min.X+e.x, c.Max.Y-e.y-legendRow/2
		c.StrokeLine2(e.look.line, x, y, x+legendThumb, y)
		if e.glyph {
			c.DrawGlyphNoClip(e.look.glyph, vg.Point{X: x + legendThumb/2, Y: y})
		}
		c.FillText(at(legendStyle(), 0, 0.5), vg.Point{X: x + legendThumb + 6, Y: y}, e.name)
	}
}

func legendStyle() draw.TextStyle { return textStyle(labelSize, ink) }
