package report

import (
	"html/template"
	"slices"
)

// grid is a table of the page.
type grid struct {
	Columns []column
	Rows    [][]cell
}

// column is one of a grid. One that is optional is left out where it says nothing.
type column struct {
	Name     string
	Hint     string // what the name stands for, for those who ask
	Number   bool
	Optional bool
	Wide     bool // of sentences
	Swatch   template.CSS
}

type cell struct {
	Text   string
	Class  string
	Link   string
	Swatch template.CSS // the colour of a contender
}

// compact leaves out the optional columns whose cells are all empty.
func (g grid) compact(empty ...string) grid {
	var kept []int
	for i, c := range g.Columns {
		says := func(row []cell) bool { return row[i].Text != "" && !slices.Contains(empty, row[i].Text) }
		if !c.Optional || slices.ContainsFunc(g.Rows, says) {
			kept = append(kept, i)
		}
	}
	out := grid{Rows: make([][]cell, len(g.Rows))}
	for _, i := range kept {
		out.Columns = append(out.Columns, g.Columns[i])
		for r, row := range g.Rows {
			out.Rows[r] = append(out.Rows[r], row[i])
		}
	}
	return out
}
