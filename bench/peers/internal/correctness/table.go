package correctness

import (
	"github.com/cacheaside/resilience/bench/internal/result"
	"github.com/cacheaside/resilience/bench/peers/internal/adapters"
)

// AboutRows is the number of rows that a [Table] begins with that are about the libraries.
const AboutRows = 2

// Table makes the table of the cells: a column a library, a row an experiment after those about the libraries. What was not reached is "".
func Table(experiments []Experiment, peers []adapters.Peer, cells []Cell) result.Table {
	type place struct{ experiment, peer string }
	texts := map[place]string{}
	for _, c := range cells {
		texts[place{c.Experiment, c.Peer}] = c.Text
	}
	table := result.Table{
		Title: "What callers get when something goes wrong",
		Note: "Every cell was measured in a process of its own. Rows are 1 KiB. " +
			"A panic that reaches a caller in its own goroutine is recovered there, as the server of a service would.",
		Columns: []string{"what happens"},
	}
	keeps, page := []string{"where values are kept"}, []string{"set up as documented at"}
	for _, p := range peers {
		table.Columns, keeps, page = append(table.Columns, p.ID), append(keeps, p.Keeps), append(page, p.Page)
	}
	table.Rows = append(table.Rows, keeps, page)
	for _, e := range experiments {
		row := []string{e.Title}
		for _, p := range peers {
			row = append(row, texts[place{e.ID, p.ID}])
		}
		table.Rows = append(table.Rows, row)
	}
	return table
}
