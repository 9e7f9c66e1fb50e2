package correctness

import (
	"github.com/cacheaside/resilience/bench/internal/result"
	"github.com/cacheaside/resilience/bench/peers/internal/adapters"
)

// Table makes the table of the cells: a row an experiment, a column a library. What was not reached is "".
func Table(experiments []Experiment, peers []adapters.Peer, cells []Cell) result.Table {
	type place struct{ experiment, peer string }
	texts := map[place]string{}
	for _, c := range cells {
		texts[place{c.Experiment, c.Peer}] = c.Text
	}
	table := result.Table{
		Title: "What callers get when something goes wrong",
		Note: "Every cell was measured in a process and on a Redis of its own. Rows are 1 KiB. " +
			"A panic that reaches a caller in its own goroutine is recovered there, as the server of a service would.",
		Columns: []string{"what happens"},
	}
	for _, p := range peers {
		table.Columns = append(table.Columns, p.ID)
	}
	keeps := []string{"where values are kept"}
	for _, p := range peers {
		keeps = append(keeps, p.Keeps)
	}
	table.Rows = append(table.Rows, keeps)
	for _, e := range experiments {
		row := []string{e.Title}
		for _, p := range peers {
			row = append(row, texts[place{e.ID, p.ID}])
		}
		table.Rows = append(table.Rows, row)
	}
	return table
}
