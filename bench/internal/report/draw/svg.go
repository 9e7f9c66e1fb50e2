package draw

import (
	"bytes"
	"fmt"
	"html"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/cacheaside/resilience/bench/internal/report/figure"
)

// SVG is one drawing. Its units are CSS pixels.
type SVG struct {
	Width, Height int
	label         string // for those who do not see it
	body          string
}

const fonts = "Liberation Sans, Arial, Helvetica, sans-serif"

// File is the drawing as a file of its own.
func (s SVG) File() []byte {
	return fmt.Appendf(nil, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" %s</svg>\n", s.inner())
}

// Inline is the drawing as an element of an HTML page. Every text of the data in it is escaped.
func (s SVG) Inline() string { return "<svg " + s.inner() + "</svg>" }

func (s SVG) inner() string {
	return fmt.Sprintf("width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" font-family=\"%s\" role=\"img\" aria-label=\"%s\">\n%s",
		s.Width, s.Height, s.Width, s.Height, fonts, html.EscapeString(s.label), s.body)
}

// render draws on a white canvas of this size and takes the drawing out of what the canvas writes.
func render(width, height vg.Length, label string, drawing func(draw.Canvas)) (SVG, error) {
	canvas := vgsvg.NewWith(vgsvg.UseWH(width, height))
	area := draw.New(canvas)
	area.FillPolygon(paper, corners(area.Rectangle))
	drawing(area)
	var out bytes.Buffer
	if _, err := canvas.WriteTo(&out); err != nil {
		return SVG{}, fmt.Errorf("svg %q: %w", label, err)
	}
	_, rest, opened := strings.Cut(out.String(), "<svg ")
	_, body, inside := strings.Cut(rest, ">\n")
	body, _, closed := strings.Cut(body, "</svg>")
	if !opened || !inside || !closed {
		return SVG{}, fmt.Errorf("svg %q: the canvas wrote no <svg> element", label)
	}
	// The font is named once, with what to fall back to, and not at each text.
	body = strings.NewReplacer(
		"font-family:Liberation Sans;font-variant:normal;font-weight:normal;font-style:normal;", "",
		"font-family:Liberation Sans;font-variant:normal;font-weight:bold;font-style:normal;", "font-weight:bold;",
	).Replace(body)
	return SVG{Width: int(width), Height: int(height), label: figure.Clean(label), body: body}, nil
}

func corners(r vg.Rectangle) []vg.Point {
	return []vg.Point{r.Min, {X: r.Max.X, Y: r.Min.Y}, r.Max, {X: r.Min.X, Y: r.Max.Y}}
}
