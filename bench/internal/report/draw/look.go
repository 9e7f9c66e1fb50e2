package draw

import (
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/cacheaside/resilience/bench/internal/result"
)

// look is how one line is told from the others.
type look struct {
	line  draw.LineStyle
	glyph draw.GlyphStyle
}

// manyLines is from how many lines on they are told apart by more than colours: by glyphs and by widths.
const manyLines = 2

// looks gives each line its colour by contender, its dashes by how many lines of that contender came before it, and a width that lets lines on
// top of each other all be seen: the later ones, drawn over the earlier, are narrower.
func looks(lines []result.Line, palette *Palette) []look {
	all := make([]look, len(lines))
	seen := map[kind]int{}
	anonymous := 0
	for i, line := range lines {
		place, known := palette.place[line.Contender]
		if !known {
			place = fixedHues + anonymous
			anonymous++
		}
		colour := color.Color(hue(place))
		nth := 0
		if known {
			nth = seen[kind{line.Contender, line.Dashed}]
			seen[kind{line.Contender, line.Dashed}]++
		}
		width := vg.Length(2)
		if len(lines) >= manyLines {
			width = 2.9 - 1.5*vg.Length(i)/vg.Length(len(lines)-1)
		}
		all[i] = look{
			line:  stroke(colour, width, dashes(line.Dashed, nth)...),
			glyph: draw.GlyphStyle{Color: colour, Radius: 3.6, Shape: glyph(place)},
		}
	}
	return all
}

// kind is what lines have in common that only their dashes tell apart.
type kind struct {
	contender string
	dashed    bool
}

func dashes(dashed bool, nth int) []vg.Length {
	solid, broken := [...][]vg.Length{nil, {2, 3}, {14, 3}}, [...][]vg.Length{{7, 4}, {10, 3, 2, 3}, {4, 6}}
	if dashed {
		return broken[nth%len(broken)]
	}
	return solid[nth%len(solid)]
}
