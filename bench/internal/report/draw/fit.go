package draw

import (
	"strings"

	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"

	"github.com/cacheaside/resilience/bench/internal/report/figure"
)

const ellipsis = "…"

// widthOf is the room to leave for a text: more than in the font it is measured in, for what a browser falls back to may be wider.
func widthOf(style text.Style, words string) vg.Length {
	if style.Font.Weight == xfont.WeightBold {
		return style.Width(words) * 1.3
	}
	return style.Width(words) * 1.15
}

// fit gives the text in one line of at most width, cut short with an ellipsis where it is longer.
func fit(style text.Style, words string, width vg.Length) string {
	words = figure.Clean(words)
	if widthOf(style, words) <= width {
		return words
	}
	runes := []rune(words)
	for n := len(runes) - 1; n > 0; n-- {
		if short := strings.TrimRight(string(runes[:n]), " ") + ellipsis; widthOf(style, short) <= width {
			return short
		}
	}
	return ""
}

// wrap gives the text in at most so many lines of at most width each; what does not fit is cut from the last.
func wrap(style text.Style, words string, width vg.Length, most int) []string {
	var lines []string
	rest := strings.Fields(figure.Clean(words))
	for len(rest) > 0 && len(lines) < most {
		n := 1
		for n < len(rest) && widthOf(style, strings.Join(rest[:n+1], " ")) <= width {
			n++
		}
		if len(lines) == most-1 {
			n = len(rest)
		}
		lines = append(lines, fit(style, strings.Join(rest[:n], " "), width))
		rest = rest[n:]
	}
	return lines
}
