package report

import (
	"slices"

	"github.com/cacheaside/resilience/bench/internal/report/draw"
	"github.com/cacheaside/resilience/bench/internal/report/figure"
	"github.com/cacheaside/resilience/bench/internal/result"
)

// matrix is all checks at a glance: a row for each scenario, a column for each contender that was checked in one of them.
func matrix(doc *result.Document, anchors []string, palette *draw.Palette) grid {
	var checked []string
	for _, s := range doc.Scenarios {
		for _, c := range s.Checks {
			checked = append(checked, c.Contender)
		}
	}
	slices.Sort(checked)
	checked = slices.Compact(checked)
	if len(checked) == 0 {
		return grid{}
	}
	g := grid{Columns: []column{{Name: "scenario"}}}
	for _, contender := range checked {
		g.Columns = append(g.Columns, column{Name: figure.Clean(contender), Swatch: swatch(palette, contender)})
	}
	for i, s := range doc.Scenarios {
		row := []cell{{Text: heading(s), Link: "#" + anchors[i]}}
		for _, contender := range checked {
			var t tally
			for _, c := range s.Checks {
				if c.Contender == contender {
					t.add(c.Verdict)
				}
			}
			if t == (tally{}) {
				row = append(row, cell{Text: figure.None, Class: "none"})
				continue
			}
			row = append(row, cell{Text: t.String(), Class: t.class(), Link: "#checks-" + anchors[i]})
		}
		g.Rows = append(g.Rows, row)
	}
	return g
}
