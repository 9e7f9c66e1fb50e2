package draw

import (
	"image/color"

	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Sizes of text in CSS pixels; a drawing is not made narrower on a page than it takes to read the smallest.
const (
	titleSize = 15
	labelSize = 13
	smallSize = 12
	cellSize  = 10
)

var (
	paper    = color.NRGBA{R: 255, G: 255, B: 255, A: 255}
	ink      = color.NRGBA{R: 0x22, G: 0x22, B: 0x22, A: 255}
	faint    = color.NRGBA{R: 0x5a, G: 0x5a, B: 0x5a, A: 255}
	gridline = color.NRGBA{R: 0xe3, G: 0xe3, B: 0xe3, A: 255}
)

func textStyle(size vg.Length, colour color.Color) text.Style {
	return text.Style{
		Color:   colour,
		Font:    font.Font{Typeface: "Liberation", Variant: "Sans", Size: size},
		Handler: plot.DefaultTextHandler,
	}
}

func bold(style text.Style) text.Style {
	style.Font.Weight = xfont.WeightBold
	return style
}

// at aligns a style to a point: x is 0 for the left, 0.5 for the middle, 1 for the right end; y is 0 for the bottom, 1 for the top.
func at(style text.Style, x, y float64) text.Style {
	style.XAlign, style.YAlign = draw.XAlignment(-x), draw.YAlignment(-y)
	return style
}

func stroke(colour color.Color, width vg.Length, dashes ...vg.Length) draw.LineStyle {
	return draw.LineStyle{Color: colour, Width: width, Dashes: dashes}
}
