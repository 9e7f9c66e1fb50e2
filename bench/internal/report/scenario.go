package report

import (
	"strings"

	"github.com/cacheaside/resilience/bench/internal/report/draw"
	"github.com/cacheaside/resilience/bench/internal/report/figure"
	"github.com/cacheaside/resilience/bench/internal/result"
)

func newScenario(s result.Scenario, anchor string, drawn []drawing, palette *draw.Palette) scenarioView {
	var verdicts tally
	for _, c := range s.Checks {
		verdicts.add(c.Verdict)
	}
	view := scenarioView{
		Anchor: anchor, Heading: heading(s), Question: figure.Clean(s.Question), Mode: mode(s.Mode), Verdicts: verdicts.String(),
		Endings: endingsGrid(s.Runs), Checks: checksGrid(s.Checks), Notes: clean(s.Notes), Runs: runsGrid(s.Runs, palette),
	}
	for _, p := range s.Parameters {
		view.Parameters = append(view.Parameters, result.Parameter{Name: figure.Clean(p.Name), Value: figure.Clean(p.Value)})
	}
	for i, p := range s.Plots {
		view.Pictures = append(view.Pictures, pictureOf(drawn[i], p.Caption))
	}
	return view
}

func heading(s result.Scenario) string {
	return strings.Trim(figure.Clean(s.ID)+" · "+figure.Clean(s.Title), " ·")
}

// mode says what a reader must know of it.
func mode(name string) string {
	switch name {
	case "sim":
		return "sim: virtual time, seeded, the library's real code on a modelled store and source"
	case "live":
		return "live: real time and a real store, so absolute figures are this machine's"
	default:
		return figure.Clean(name)
	}
}

func checksGrid(checks []result.Check) grid {
	g := grid{Columns: []column{
		{Name: "verdict"}, {Name: "contender"}, {Name: "variant", Optional: true}, {Name: "what", Wide: true}, {Name: "bound"}, {Name: "measured"},
	}}
	for _, c := range checks {
		g.Rows = append(g.Rows, checkRow(c))
	}
	return g.compact()
}

func checkRow(c result.Check) []cell {
	word, class := verdictWord(c.Verdict)
	bound := figure.Clean(c.Bound)
	if bound == "" {
		bound = "none"
	}
	return []cell{
		{Text: word, Class: class}, {Text: figure.Clean(c.Contender)}, {Text: figure.Clean(c.Variant)}, {Text: figure.Clean(c.What)},
		{Text: bound}, {Text: figure.Clean(c.Measured)},
	}
}

// failures are the failed checks of all scenarios; nothing where there are none.
func failures(doc *result.Document, anchors []string) grid {
	g := grid{Columns: append([]column{{Name: "scenario"}}, checksGrid([]result.Check{{Variant: "any"}}).Columns...)}
	for i, s := range doc.Scenarios {
		for _, c := range s.Checks {
			if c.Verdict == result.Fail {
				g.Rows = append(g.Rows, append([]cell{{Text: heading(s), Link: "#checks-" + anchors[i]}}, checkRow(c)...))
			}
		}
	}
	return g.compact()
}

// newTable makes a grid of a table of words. Rows may be shorter or longer than there are columns.
func newTable(t result.Table, anchor string) tableView {
	width := len(t.Columns)
	for _, row := range t.Rows {
		width = max(width, len(row))
	}
	view := tableView{Anchor: anchor, Title: figure.Clean(t.Title), Note: figure.Clean(t.Note)}
	view.Grid.Columns = make([]column, width)
	for i, name := range t.Columns {
		view.Grid.Columns[i].Name = figure.Clean(name)
	}
	for _, row := range t.Rows {
		cells := make([]cell, width)
		for i, text := range row {
			cells[i].Text = figure.Clean(text)
		}
		view.Grid.Rows = append(view.Grid.Rows, cells)
	}
	return view
}
