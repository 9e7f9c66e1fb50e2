package draw

import (
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/cacheaside/resilience/bench/internal/result"
)

// marks draws horizontal lines with their names in the margin on the right, where they cover no data.
type marks struct {
	marks []result.Mark
	y     scale
}

const (
	markMargin = vg.Length(112)
	markLine   = vg.Length(13)
	markLines  = 3
)

// margin is the width that the names take.
func (m marks) margin() vg.Length {
	width := vg.Length(0)
	for _, mark := range m.marks {
		for _, line := range wrap(markStyle(), mark.Name, markMargin, markLines) {
			width = max(width, widthOf(markStyle(), line)+10)
		}
	}
	return width
}

// Plot implements plot.Plotter.
func (m marks) Plot(c draw.Canvas, p *plot.Plot) {
	type label struct {
		lines  []string
		at     vg.Length // of the line
		middle vg.Length // of the name
	}
	var labels []label
	for _, mark := range m.marks {
		value, there := m.y.place(mark.Y)
		y := c.Y(near(p.Y.Norm(value)))
		if !there || !c.ContainsY(y) {
			continue
		}
		c.StrokeLine2(stroke(ink, 1.1, 5, 3), c.Min.X, y, c.Max.X, y)
		labels = append(labels, label{lines: wrap(markStyle(), mark.Name, markMargin, markLines), at: y, middle: y})
	}
	slices.SortStableFunc(labels, func(a, b label) int { return int(min(1, max(-1, (b.at-a.at)*1e6))) })
	// From the top down, each name is pushed below the one before it.
	ceiling := c.Max.Y + 40
	for i := range labels {
		half := vg.Length(len(labels[i].lines)) * markLine / 2
		labels[i].middle = min(labels[i].middle, ceiling-half)
		ceiling = labels[i].middle - half
		for n, line := range labels[i].lines {
			y := labels[i].middle + half - vg.Length(n)*markLine
			c.FillText(at(markStyle(), 0, 1), vg.Point{X: c.Max.X + 8, Y: y}, line)
		}
		if len(labels[i].lines) > 0 {
			c.StrokeLine2(stroke(ink, 0.8), c.Max.X, labels[i].at, c.Max.X+6, labels[i].middle)
		}
	}
}

func markStyle() draw.TextStyle { return textStyle(smallSize, ink) }
