package draw_test

import (
	"strings"
	"testing"

	"github.com/cacheaside/resilience/bench/internal/report/draw"
	"github.com/cacheaside/resilience/bench/internal/result"
)

func TestALogarithmicAxisIsLabelledByDecades(t *testing.T) {
	t.Parallel()
	texts := read(t, plotted(t, result.Plot{Y: result.Axis{Log: true}, Lines: []result.Line{line("one", 3, 40_000)}}))
	foot := find(t, texts, "10").up - find(t, texts, "1").up
	for _, pair := range [][2]string{{"10", "100"}, {"100", "1000"}, {"1000", "10k"}, {"10k", "100k"}} {
		if gap := find(t, texts, pair[1]).up - find(t, texts, pair[0]).up; gap < foot-0.1 || gap > foot+0.1 || gap <= 0 {
			t.Errorf("%s is %v above %s, want %v as between the others", pair[1], gap, pair[0], foot)
		}
	}
}

func TestWhatHasNoLogarithmIsDrawnAtAFootThatIsLabelledZero(t *testing.T) {
	t.Parallel()
	axis := result.Axis{Log: true}
	texts := read(t, plotted(t, result.Plot{X: result.Axis{Min: 0.5}, Y: axis, Lines: []result.Line{line("one", 0, 3, 500)}}))
	if find(t, texts, "0").up >= find(t, texts, "1").up {
		t.Error("zero is not below the first decade")
	}
	texts = read(t, plotted(t, result.Plot{X: result.Axis{Min: 0.5}, Y: axis, Lines: []result.Line{line("one", 3, 5, 500)}}))
	for _, text := range texts {
		if text.words == "0" {
			t.Error("an axis without zeros has one")
		}
	}
}

func TestALinearVerticalAxisBeginsAtZero(t *testing.T) {
	t.Parallel()
	texts := read(t, plotted(t, result.Plot{X: result.Axis{Min: 0.5}, Lines: []result.Line{line("one", 80, 90, 100)}}))
	if find(t, texts, "0").up >= find(t, texts, "100").up {
		t.Error("zero is not at the foot")
	}
}

func TestTheLegendStandsBelowTheAxes(t *testing.T) {
	t.Parallel()
	p := result.Plot{X: result.Axis{Label: "time (s)"}, Y: result.Axis{Label: "goodput"}}
	for _, name := range []string{"first", "second", "third", "fourth", strings.Repeat("long ", 12), strings.Repeat("longer ", 9)} {
		p.Lines = append(p.Lines, line(name, 1, 2, 3))
	}
	texts := read(t, plotted(t, p))
	axis := find(t, texts, "time (s)").up
	for _, l := range p.Lines {
		if entry := find(t, texts, strings.TrimSpace(l.Name)); entry.up >= axis {
			t.Errorf("%q is at %v, over the axis label at %v", l.Name, entry.up, axis)
		}
	}
}

func TestNamesOfMarksDoNotOverlap(t *testing.T) {
	t.Parallel()
	p := result.Plot{Lines: []result.Line{line("one", 0, 1000)}}
	names := []string{"alpha", "beta", "gamma", "delta"}
	for i, name := range names {
		p.Marks = append(p.Marks, result.Mark{Y: 500 + float64(i), Name: name})
	}
	texts := read(t, plotted(t, p))
	for i, name := range names[1:] {
		above, below := find(t, texts, name), find(t, texts, names[i])
		if above.up-below.up < 10 {
			t.Errorf("%q and %q are %v apart", name, names[i], above.up-below.up)
		}
		if above.x != below.x {
			t.Errorf("%q and %q are not in one column", name, names[i])
		}
	}
}

func TestNamesOfBandsThatMeetAreInRows(t *testing.T) {
	t.Parallel()
	p := result.Plot{Lines: []result.Line{line("one", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)}}
	p.Shaded = []result.Band{{From: 4, To: 5, Name: "the source is slower"}, {From: 5, To: 6, Name: "the source is back"}, {From: 0, To: 1, Name: "warm-up"}}
	texts := read(t, plotted(t, p))
	first, second := find(t, texts, "the source is slower"), find(t, texts, "the source is back")
	if second.up-first.up < 10 {
		t.Errorf("the names are %v apart", second.up-first.up)
	}
	if find(t, texts, "warm-up").up < find(t, texts, "one").up {
		t.Error("the name of a band is not above the plot")
	}
}

func TestEachContenderHasItsColourInEveryPlot(t *testing.T) {
	t.Parallel()
	contenders := []string{"P0", "P1", "P2", "P3", "P4", "P5", "P6", "P7", "P8", "otter", "sturdyc", "go-zero"}
	palette := draw.NewPalette(contenders...)
	owner := map[string]string{}
	for _, contender := range contenders {
		colour := palette.Hex(contender)
		if other, taken := owner[colour]; taken {
			t.Errorf("%s and %s have the same colour", contender, other)
		}
		owner[colour] = contender
		for _, others := range [][]result.Line{nil, {line("other", 1, 2)}, {line("a", 1), line("b", 2), line("c", 3), line("d", 4)}} {
			l := line("its line", 2, 3)
			l.Contender = contender
			svg, err := draw.Plot(result.Plot{Lines: append(others, l)}, palette)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(svg.Inline(), "stroke:"+strings.ToUpper(colour)) {
				t.Errorf("%s is not drawn in %s among %d others", contender, colour, len(others))
			}
		}
	}
	if draw.NewPalette("P7", "go-zero", "otter", "sturdyc").Hex("otter") != palette.Hex("otter") {
		t.Error("a contender's colour depends on which of P0 to P8 are there")
	}
}

func TestLinesOfOneContenderDifferByTheirDashes(t *testing.T) {
	t.Parallel()
	var lines []result.Line
	for _, dashed := range []bool{false, false, true} {
		l := line("of P7", 1, 2)
		l.Contender, l.Dashed = "P7", dashed
		lines = append(lines, l)
	}
	svg := plotted(t, result.Plot{Lines: lines}, "P7").Inline()
	patterns := map[string]bool{}
	for _, path := range strings.Split(svg, "<path ")[1:] {
		if strings.Contains(path, "stroke:#0072B2") {
			_, after, _ := strings.Cut(path, "stroke-dasharray:")
			pattern, _, _ := strings.Cut(after, "\"")
			patterns[pattern] = true
		}
	}
	if len(patterns) != 3 {
		t.Errorf("three lines have %d patterns of dashes: %v", len(patterns), patterns)
	}
}

func TestABandNextToTheDataIsShownWhole(t *testing.T) {
	t.Parallel()
	p := result.Plot{Lines: []result.Line{line("one", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)}}
	p.Shaded = []result.Band{{From: 9, To: 12, Name: "bound"}, {From: 500, To: 1e9, Name: "far away"}}
	texts := read(t, plotted(t, p))
	find(t, texts, "12")
	for _, text := range texts {
		if text.words == "far away" || text.words == "15" {
			t.Errorf("the plot says %q: a band far away made it wider", text.words)
		}
	}
}
