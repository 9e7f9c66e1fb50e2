package draw

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/cacheaside/resilience/bench/internal/result"
)

// bands shades stretches of the horizontal axis and names them above the plot, in as many rows as it takes to keep the names apart.
type bands struct {
	shaded []result.Band
	x      scale
}

const (
	bandRow  = vg.Length(15)
	bandRows = 3
)

// height is what the names take above the plot.
func (b bands) height(width vg.Length) vg.Length {
	rows := 0
	for _, name := range b.names(vg.Rectangle{Max: vg.Point{X: width}}) {
		rows = max(rows, name.row+1)
	}
	return vg.Length(rows) * bandRow
}

// Plot implements plot.Plotter.
func (b bands) Plot(c draw.Canvas, _ *plot.Plot) {
	for i, band := range b.shaded {
		from, to, visible := b.edges(band, c.Rectangle)
		if !visible {
			continue
		}
		area := vg.Rectangle{Min: vg.Point{X: from, Y: c.Min.Y}, Max: vg.Point{X: to, Y: c.Max.Y}}
		c.FillPolygon(shade(i), corners(area))
		edge := stroke(color.NRGBA{R: 0xc9, G: 0xa2, B: 0x5a, A: 255}, 1)
		c.StrokeLine2(edge, from, c.Min.Y, from, c.Max.Y)
		c.StrokeLine2(edge, to, c.Min.Y, to, c.Max.Y)
	}
	for _, name := range b.names(c.Rectangle) {
		c.FillText(at(bandStyle(), 0.5, 0), vg.Point{X: name.middle, Y: c.Max.Y + 3 + vg.Length(name.row)*bandRow}, name.text)
	}
}

type bandName struct {
	text   string
	middle vg.Length
	row    int
}

// names places the names between the edges of the area; one that finds no free row is left out.
func (b bands) names(area vg.Rectangle) []bandName {
	var placed []bandName
	var ends [bandRows]vg.Length
	for i := range ends {
		ends[i] = area.Min.X - 1
	}
	for _, band := range b.shaded {
		from, to, visible := b.edges(band, area)
		text := fit(bandStyle(), band.Name, (area.Max.X-area.Min.X)*0.6)
		if !visible || text == "" {
			continue
		}
		half := widthOf(bandStyle(), text) / 2
		middle := max(area.Min.X+half, min(area.Max.X-half, (from+to)/2))
		for row := range ends {
			if middle-half > ends[row] {
				placed = append(placed, bandName{text: text, middle: middle, row: row})
				ends[row] = middle + half + 8
				break
			}
		}
	}
	return placed
}

func (b bands) edges(band result.Band, area vg.Rectangle) (from, to vg.Length, visible bool) {
	low, there := b.x.place(band.From)
	high, alsoThere := b.x.place(band.To)
	if !there || !alsoThere || high < low || high < b.x.min || low > b.x.max {
		return 0, 0, false
	}
	width := area.Max.X - area.Min.X
	on := func(v float64) vg.Length {
		part := b.x.normalizer().Normalize(b.x.min, b.x.max, max(b.x.min, min(b.x.max, v)))
		return area.Min.X + width*vg.Length(part)
	}
	return on(low), on(high), true
}

func bandStyle() draw.TextStyle {
	return textStyle(smallSize, color.NRGBA{R: 0x7a, G: 0x56, B: 0x0c, A: 255})
}

func shade(i int) color.Color {
	if i%2 == 0 {
		return color.NRGBA{R: 0xff, G: 0xf3, B: 0xdc, A: 255}
	}
	return color.NRGBA{R: 0xe9, G: 0xee, B: 0xf6, A: 255}
}
