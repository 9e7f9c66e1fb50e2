package report

import (
	"slices"

	"github.com/cacheaside/resilience/bench/internal/report/draw"
	"github.com/cacheaside/resilience/bench/internal/result"
)

// drawing is one plot or map, and where it is kept as a file.
type drawing struct {
	name, path string
	svg        draw.SVG
}

// drawings are those of a document, in its order.
type drawings struct {
	palette *draw.Palette
	plots   [][]drawing // by scenario
	maps    []drawing
}

func drawAll(doc *result.Document) (drawings, error) {
	d := drawings{palette: draw.NewPalette(contenders(doc)...), plots: make([][]drawing, len(doc.Scenarios))}
	names := namer{}
	for i, scenario := range doc.Scenarios {
		for _, p := range scenario.Plots {
			svg, err := draw.Plot(p, d.palette)
			if err != nil {
				return drawings{}, err
			}
			d.plots[i] = append(d.plots[i], named(names, p.ID, "plot", svg))
		}
	}
	for _, m := range doc.Maps {
		svg, err := draw.Map(m)
		if err != nil {
			return drawings{}, err
		}
		d.maps = append(d.maps, named(names, m.ID, "map", svg))
	}
	return d, nil
}

func named(names namer, id, substitute string, svg draw.SVG) drawing {
	name := names.name(id, substitute)
	return drawing{name: name, path: "plots/" + name + ".svg", svg: svg}
}

func (d drawings) all() []drawing {
	return slices.Concat(append(slices.Clone(d.plots), d.maps)...)
}

// contenders are all that a document names, in order.
func contenders(doc *result.Document) []string {
	var all []string
	for _, s := range doc.Scenarios {
		for _, r := range s.Runs {
			all = append(all, r.Contender)
		}
		for _, c := range s.Checks {
			all = append(all, c.Contender)
		}
		for _, p := range s.Plots {
			for _, l := range p.Lines {
				all = append(all, l.Contender)
			}
		}
	}
	for _, m := range doc.Maps {
		for _, p := range m.Panels {
			all = append(all, p.Contender)
		}
	}
	slices.Sort(all)
	all = slices.Compact(all)
	return slices.DeleteFunc(all, func(name string) bool { return name == "" })
}
