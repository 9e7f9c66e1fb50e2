package draw

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/cacheaside/resilience/bench/internal/result"
)

// PlotWidth is the width of every plot.
const PlotWidth = 900

const (
	plotHeight = vg.Length(345) // of the axes with their labels
	border     = vg.Length(10)
	titleRow   = vg.Length(20)
	axisLabel  = vg.Length(24) // beside the labels of the ticks
)

// Plot draws p. Values that are not numbers interrupt their line; on a logarithmic axis, values that have no logarithm are drawn at its foot,
// which is then labelled 0. Names that are too long are cut short. An error is one of the canvas, which writes to memory.
func Plot(p result.Plot, palette *Palette) (SVG, error) {
	x := newScale(p.X, horizontal(p), true)
	y := newScale(p.Y, vertical(p), false)
	lines := looks(p.Lines, palette)
	many := len(p.Lines) >= manyLines

	inside := PlotWidth - 2*border
	title := wrap(titleStyle(), p.Title, inside, 2)
	key := newLegend(p.Lines, lines, many, inside)
	named, levels := bands{shaded: p.Shaded, x: x}, marks{marks: p.Marks, y: y}
	above := named.height(inside - levels.margin() - 60) // 60 for the vertical axis, about
	height := 2*border + vg.Length(len(title))*titleRow + above + plotHeight + key.height

	axes := plot.New()
	axes.BackgroundColor = nil
	setAxis(&axes.X, x, 9)
	setAxis(&axes.Y, y, 5)
	axes.Add(named, grid{x: x.ticks(9), y: y.ticks(5)}, frame{empty: empty(p)})
	for i, line := range p.Lines {
		phase := (float64(i) + 0.5) / float64(len(p.Lines))
		axes.Add(curve{line: line, look: lines[i], x: x, y: y, every: line.Points, now: many, phase: phase})
	}
	axes.Add(levels)

	return render(PlotWidth, height, label("plot", p.Title, p.Caption), func(c draw.Canvas) {
		c = draw.Crop(c, border, -border, border, -border)
		for i, line := range title {
			c.FillText(at(titleStyle(), 0, 1), vg.Point{X: c.Min.X, Y: c.Max.Y - vg.Length(i)*titleRow}, line)
		}
		key.draw(draw.Crop(c, 0, 0, 0, key.height-(c.Max.Y-c.Min.Y)))
		area := draw.Crop(c, axisLabel, -levels.margin(), key.height+6+axisLabel, -vg.Length(len(title))*titleRow-above-4)
		axes.Draw(area)
		data := axes.DataCanvas(area)
		labelAxes(c, data.Rectangle, area.Min, p)
	})
}

// labelAxes writes what the axes show beside their ticks, at the middle of the data. The axes of gonum would place the label of a logarithmic axis
// as if it were linear, and make room for it.
func labelAxes(c draw.Canvas, data vg.Rectangle, corner vg.Point, p result.Plot) {
	style := textStyle(labelSize, ink)
	across := fit(style, p.X.Label, data.Max.X-data.Min.X)
	c.FillText(at(style, 0.5, 1), vg.Point{X: (data.Min.X + data.Max.X) / 2, Y: corner.Y - 3}, across)
	up := at(style, 0.5, 1)
	up.Rotation = quarterTurn
	c.FillText(up, vg.Point{X: c.Min.X, Y: (data.Min.Y + data.Max.Y) / 2}, fit(style, p.Y.Label, plotHeight-60))
}

func setAxis(axis *plot.Axis, s scale, about int) {
	axis.Min, axis.Max, axis.Scale, axis.Padding = s.min, s.max, s.normalizer(), 0
	axis.LineStyle = stroke(ink, 1)
	axis.Tick.LineStyle = stroke(ink, 1)
	axis.Tick.Length = 5
	was := axis.Tick.Label
	axis.Tick.Label = textStyle(smallSize, ink)
	axis.Tick.Label.XAlign, axis.Tick.Label.YAlign = was.XAlign, was.YAlign
	axis.Tick.Marker = plot.ConstantTicks(s.ticks(about))
}

// horizontal gives what the horizontal axis must hold: the data, and the edges of bands as long as they are not far from them; or the bands
// alone where there are no data.
func horizontal(p result.Plot) []float64 {
	var values, near []float64
	for _, line := range p.Lines {
		for _, point := range line.Data {
			values = append(values, point.X)
		}
	}
	low, high, _ := extent(values, p.X.Log)
	room := (high - low) / 4
	for _, band := range p.Shaded {
		for _, edge := range [...]float64{band.From, band.To} {
			if len(values) == 0 || edge >= low-room && edge <= high+room {
				near = append(near, edge)
			}
		}
	}
	return append(values, near...)
}

func vertical(p result.Plot) []float64 {
	var values []float64
	for _, line := range p.Lines {
		for _, point := range line.Data {
			values = append(values, point.Y)
		}
	}
	for _, mark := range p.Marks {
		values = append(values, mark.Y)
	}
	return values
}

func empty(p result.Plot) bool {
	for _, line := range p.Lines {
		for _, point := range line.Data {
			if finite(point.X) && finite(point.Y) {
				return false
			}
		}
	}
	return true
}

func label(kind, title, caption string) string {
	text := kind + ": " + title
	if caption != "" {
		text += ". " + caption
	}
	return text
}

func titleStyle() draw.TextStyle { return bold(textStyle(titleSize, ink)) }
