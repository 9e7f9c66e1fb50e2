package draw

import (
	"fmt"
	"image/color"
	"slices"
)

// Palette gives each contender one colour and one glyph, the same in every drawing it is used for. P0 to P8 have theirs always, warm ones for the
// plain ways and cool ones for this library's policies; other names get theirs in alphabetical order. It does not change once made.
type Palette struct {
	place map[string]int
}

// hues can be told apart with the common kinds of colour blindness; where two come near each other, the glyphs differ.
var hues = [...]color.NRGBA{
	hex(0xd55e00), hex(0xe69f00), hex(0x8a8a1f), hex(0x882255), hex(0xcc79a7), hex(0x777777), hex(0x56b4e9), hex(0x0072b2), hex(0x009e73),
	hex(0x332288), hex(0x117733), hex(0xaa4499), hex(0x44aa99), hex(0x661100), hex(0x004488), hex(0xbb5566), hex(0x111111),
}

const fixedHues = 9

// NewPalette makes the palette for these contenders; repeated names are one.
func NewPalette(contenders ...string) *Palette {
	p := &Palette{place: map[string]int{}}
	names := slices.Compact(slices.Sorted(slices.Values(contenders)))
	next := fixedHues
	for _, name := range names {
		if len(name) == 2 && name[0] == 'P' && name[1] >= '0' && name[1] <= '8' {
			p.place[name] = int(name[1] - '0')
			continue
		}
		p.place[name] = next
		next++
	}
	return p
}

// Colour is the colour of the contender. Names that the palette was not made for are given that of the lines of no contender.
func (p *Palette) Colour(contender string) color.NRGBA {
	i, known := p.place[contender]
	if !known {
		return ink
	}
	return hue(i)
}

func hue(i int) color.NRGBA {
	if i < len(hues) {
		return hues[i]
	}
	return hues[fixedHues+(i-fixedHues)%(len(hues)-fixedHues)]
}

func hex(rgb uint32) color.NRGBA {
	return color.NRGBA{R: uint8(rgb >> 16), G: uint8(rgb >> 8), B: uint8(rgb), A: 255}
}

// Hex is Colour as a style sheet writes it.
func (p *Palette) Hex(contender string) string {
	c := p.Colour(contender)
	return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B)
}
