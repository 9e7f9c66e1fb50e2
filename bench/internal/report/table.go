package report

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/cacheaside/resilience/bench/internal/report/figure"
	"github.com/cacheaside/resilience/bench/internal/result"
)

// tableWidth is the columns that a terminal must have.
const tableWidth = 140

// Table writes the document as tables of at most 140 columns: for each scenario its runs and its checks, then the part of each map that never
// recovers, then the checks that failed. A scenario without runs has its notes instead. Verdicts are words, and coloured as well where w is a terminal and NO_COLOR is not set.
func Table(w io.Writer, doc *result.Document) error {
	if doc == nil {
		return errors.New("report: document is nil: there is nothing to write")
	}
	var out bytes.Buffer
	colour := isTerminal(w)
	if !doc.Complete {
		paragraph(&out, "INCOMPLETE: the run was interrupted or did not end well; this is what was measured by then.")
	}
	for _, s := range doc.Scenarios {
		title := heading(s)
		if s.Mode != "" {
			title += " (" + s.Mode + ")"
		}
		paragraph(&out, figure.Plain(title))
		if len(s.Runs) == 0 {
			for _, note := range s.Notes { // they say why
				paragraph(&out, figure.Plain(note))
			}
		}
		section(&out, runsTable(s.Runs))
		section(&out, checksTable(s.Checks, colour))
	}
	for _, m := range doc.Maps {
		paragraph(&out, figure.Plain(m.Title))
		section(&out, mapTable(m))
	}
	failed := 0
	for _, s := range doc.Scenarios {
		for _, c := range s.Checks {
			if c.Verdict == result.Fail {
				failed++
				paragraph(&out, painted(colour, result.Fail, "FAIL")+"  "+figure.Plain(strings.Join([]string{
					s.ID, c.Contender, c.Variant, c.What + ":", c.Measured + ",", "must be", c.Bound,
				}, " ")))
			}
		}
	}
	if failed > 0 {
		out.WriteByte('\n')
	}
	paragraph(&out, tallyOf(doc).sentence())
	_, err := w.Write(out.Bytes())
	return err
}

// paragraph writes text in lines that fit.
func paragraph(out *bytes.Buffer, words string) {
	if words = strings.TrimSpace(words); words != "" {
		fmt.Fprintln(out, text.WrapSoft(words, tableWidth))
	}
}

func section(out *bytes.Buffer, t table.Writer) {
	if t.Length() > 0 {
		for line := range strings.Lines(t.Render()) {
			fmt.Fprintln(out, strings.TrimRight(line, " \n"))
		}
	}
	out.WriteByte('\n')
}

// newTextTable makes an empty table. Columns are given by their headings, which may have several lines, and by how wide they may be; those with a
// negative width hold numbers, so they are aligned to the right.
func newTextTable(headings []string, widths []int) table.Writer {
	t := table.NewWriter()
	style := table.StyleLight
	style.Options = table.OptionsNoBordersAndSeparators
	style.Options.SeparateHeader = true
	style.Box.PaddingLeft, style.Box.PaddingRight = "", "  "
	style.Format.Header = text.FormatDefault
	style.Size.WidthMax = tableWidth
	t.SetStyle(style)
	var header table.Row
	var columns []table.ColumnConfig
	for i, heading := range headings {
		header = append(header, heading)
		column := table.ColumnConfig{Number: i + 1, WidthMax: max(widths[i], -widths[i]), WidthMaxEnforcer: text.WrapSoft, VAlignHeader: text.VAlignBottom}
		if widths[i] < 0 {
			column.Align, column.AlignHeader = text.AlignRight, text.AlignRight
		}
		columns = append(columns, column)
	}
	t.AppendHeader(header)
	t.SetColumnConfigs(columns)
	t.SuppressEmptyColumns()
	return t
}

func runsTable(runs []result.Run) table.Writer {
	t := newTextTable(
		[]string{
			"contender", "variant", "goodput", "hit\nratio", "source\ncalls", "peak out-\nstanding", "p50", "p99", "max", "stale", "rejected", "recovery",
			"viola-\ntions",
		},
		[]int{18, 14, -7, -7, -8, -9, -7, -7, -7, -7, -8, -8, -7},
	)
	for _, r := range runs {
		f := figuresOf(r)
		row := table.Row{figure.Plain(figure.Name(r.Contender, r.Name))}
		for _, words := range []string{
			f.variant, f.goodput, f.hits, figure.Short(r.SourceCalls), figure.Short(int64(r.SourceOutstanding)), f.p50, f.p99, f.max, f.stale,
			figure.Short(r.Endings["rejected"]), f.recovery, figure.Short(r.Violations),
		} {
			row = append(row, figure.Plain(words))
		}
		t.AppendRow(row)
	}
	return t
}

func checksTable(checks []result.Check, colour bool) table.Writer {
	t := newTextTable([]string{"verdict", "contender", "variant", "check", "bound", "measured"}, []int{8, 18, 18, 36, 24, 24})
	for _, c := range checks {
		word, _ := verdictWord(c.Verdict)
		row := table.Row{painted(colour, c.Verdict, word)}
		for _, words := range []string{c.Contender, c.Variant, c.What, c.Bound, c.Measured} {
			row = append(row, figure.Plain(words))
		}
		t.AppendRow(row)
	}
	return t
}

func mapTable(m result.Map) table.Writer {
	t := newTextTable([]string{"contender", "black: part of the cells that never recovers"}, []int{60, 60})
	for _, p := range m.Panels {
		t.AppendRow(table.Row{figure.Plain(figure.Name(p.Contender, p.Name)), figure.Plain(figure.Percent(p.Black))})
	}
	return t
}
