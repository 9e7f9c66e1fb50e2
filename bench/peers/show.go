package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/cacheaside/resilience/bench/internal/report"
	"github.com/cacheaside/resilience/bench/internal/result"
	"github.com/cacheaside/resilience/bench/peers/internal/correctness"
)

// cellWidth is where the sentence of a cell is broken.
const cellWidth = 100

// noteWidth is where a note is.
const noteWidth = 140

// show prints a document: the table as a block for each experiment, since a column for each library does not fit a terminal.
func show(out io.Writer, o options, document *result.Document) error {
	fmt.Fprintf(out, "%s %s/%s, %d CPUs (%s), %s\n", document.Machine.Go, document.Machine.OS, document.Machine.Arch,
		document.Machine.CPUs, document.Machine.CPU, document.Versions["server"])
	showLibraries(out, o, document.Versions)
	for _, t := range document.Tables {
		fmt.Fprintf(out, "\n%s. %s\n", t.Title, t.Note)
		for _, row := range t.Rows[correctness.AboutRows:] { // the libraries are above
			showBlock(out, t.Columns, row)
		}
	}
	if len(document.Scenarios) > 0 {
		fmt.Fprintln(out)
		if err := report.Table(out, document); err != nil {
			return err
		}
		showNotes(out, document.Scenarios)
	}
	for _, limit := range document.Limits {
		fmt.Fprintln(out, "-", limit)
	}
	fmt.Fprintf(out, "%.0f s\n", document.Seconds)
	return nil
}

// showNotes prints what each library is better at, which no table of figures says as plainly.
func showNotes(out io.Writer, found []result.Scenario) {
	for _, s := range found {
		fmt.Fprintf(out, "\n%s · %s\n", s.ID, s.Title)
		for _, note := range s.Notes {
			for line := range strings.Lines(text.WrapSoft("- "+note, noteWidth)) {
				fmt.Fprintln(out, strings.TrimRight(line, " \n"))
			}
		}
	}
	fmt.Fprintln(out)
}

func showLibraries(out io.Writer, o options, versions map[string]string) {
	w := newTable(out)
	w.AppendHeader(table.Row{"library", "version", "keeps values in", "set up as", "documented at"})
	for _, p := range o.peers {
		w.AppendRow(table.Row{p.ID, versions[p.Module], p.Keeps, p.Name, p.Page})
	}
	w.Render()
}

func showBlock(out io.Writer, columns, row []string) {
	w := newTable(out)
	w.SetTitle(row[0])
	w.SetColumnConfigs([]table.ColumnConfig{{Number: 2, WidthMin: cellWidth, WidthMax: cellWidth, WidthMaxEnforcer: text.WrapSoft}})
	for i, sentence := range row[1:] {
		w.AppendRow(table.Row{columns[i+1], sentence})
	}
	w.Render()
}

func newTable(out io.Writer) table.Writer {
	w := table.NewWriter()
	w.SetOutputMirror(out)
	w.SetStyle(table.StyleLight)
	return w
}

// list prints what there is and measures nothing.
func list(out io.Writer, o options) error {
	showLibraries(out, o, versions(o.peers))
	w := newTable(out)
	w.AppendHeader(table.Row{"experiment", "what happens"})
	for _, e := range o.experiments {
		w.AppendRow(table.Row{e.ID, e.Title})
	}
	w.Render()
	w = newTable(out)
	w.AppendHeader(table.Row{"scenario", "what it asks"})
	for _, s := range o.scenarios {
		w.AppendRow(table.Row{s.ID, s.Title})
	}
	w.Render()
	return nil
}
