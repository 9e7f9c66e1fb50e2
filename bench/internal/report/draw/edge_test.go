package draw_test

import (
	"math"
	"strings"
	"testing"

	"github.com/cacheaside/resilience/bench/internal/report/draw"
	"github.com/cacheaside/resilience/bench/internal/report/sample"
	"github.com/cacheaside/resilience/bench/internal/result"
)

func TestEveryPlotAndMapOfADocumentIsSoundSVG(t *testing.T) {
	t.Parallel()
	document := sample.Document()
	for _, s := range document.Scenarios {
		for _, p := range s.Plots {
			text := words(read(t, plotted(t, p)))
			for _, wanted := range []string{p.Title, p.X.Label, p.Y.Label} {
				if !strings.Contains(text, wanted) {
					t.Errorf("%s does not say %q", p.ID, wanted)
				}
			}
			for _, l := range p.Lines {
				if !strings.Contains(text, l.Name) {
					t.Errorf("%s does not name the line %q", p.ID, l.Name)
				}
			}
		}
	}
	for _, m := range document.Maps {
		text := words(read(t, mapped(t, m)))
		for _, p := range m.Panels {
			if wanted := p.Contender + " " + p.Name; !strings.Contains(text, wanted) || !strings.Contains(text, draw.Headline(p)) {
				t.Errorf("the map does not name %q or say what part of it is black", wanted)
			}
		}
	}
}

func TestAPlotIsSoundWhateverItsData(t *testing.T) {
	t.Parallel()
	nan, inf := math.NaN(), math.Inf(1)
	nine := make([]result.Line, 9)
	for i := range nine {
		nine[i] = line(script(i), 1, float64(i), 3)
		nine[i].Contender = script(i)
	}
	one := func(values ...float64) []result.Line { return []result.Line{line("one", values...)} }
	stepped := line("steps", 1, nan, 3, 4, inf, 5)
	stepped.Steps = true
	for name, p := range map[string]result.Plot{
		"nothing at all":              {},
		"no lines, a band and a mark": {Shaded: []result.Band{{From: 1, To: 2, Name: "trigger"}}, Marks: []result.Mark{{Y: 5, Name: "bound"}}},
		"a line without points":       {Lines: []result.Line{{Name: "none"}}},
		"a single point":              {Lines: one(7)},
		"all values equal":            {Lines: one(3, 3, 3, 3)},
		"all values zero":             {Lines: one(0, 0, 0)},
		"negative values":             {Lines: one(-5, -2, -9)},
		"around zero":                 {Lines: one(-0.001, 0.002)},
		"logarithm of zeros":          {Y: result.Axis{Log: true}, Lines: one(0, 10, 0, 1000)},
		"logarithm of zeros alone":    {Y: result.Axis{Log: true}, X: result.Axis{Log: true}, Lines: one(0, 0)},
		"logarithm of negatives":      {Y: result.Axis{Log: true}, Lines: one(-3, 5)},
		"logarithm of one value":      {Y: result.Axis{Log: true}, Lines: one(50, 50)},
		"logarithm of a power of ten": {Y: result.Axis{Log: true}, Lines: one(100, 100)},
		"logarithm of extremes":       {Y: result.Axis{Log: true}, Lines: one(5e-324, 1e-300, 1, math.MaxFloat64)},
		"huge values":                 {Lines: one(-math.MaxFloat64, math.MaxFloat64, 1e200)},
		"tiny values":                 {Lines: one(1e-300, 3e-300)},
		"tiny steps of large values":  {Lines: one(1e15, 1e15+1)},
		"not numbers":                 {Lines: one(nan, inf, -inf)},
		"interrupted":                 {Lines: []result.Line{stepped}},
		"bounds the wrong way":        {X: result.Axis{Min: 5, Max: 2}, Y: result.Axis{Min: 5, Max: 2, Log: true}, Lines: one(1, 2, 3)},
		"bounds that are no numbers":  {X: result.Axis{Min: nan, Max: inf}, Y: result.Axis{Min: -1, Max: nan, Log: true}, Lines: one(1, 2, 3)},
		"bounds far from the data":    {Y: result.Axis{Min: 1e-300, Max: 2e-300}, Lines: one(1, 1e300)},
		"nine contenders":             {Lines: nine, Title: script(1), X: result.Axis{Label: script(2)}, Y: result.Axis{Label: script(3)}},
		"bands out of order": {Lines: one(1, 2, 3), Shaded: []result.Band{
			{From: 2, To: 1, Name: "back"}, {From: nan, To: inf, Name: "none"}, {From: -9, To: -8, Name: "out"}, {From: 1, To: 1, Name: script(4)},
		}},
		"a long title and a mark beyond": {
			Title: strings.Repeat("a very long title ", 30), Lines: one(1, 2), Marks: []result.Mark{{Y: nan, Name: "none"}, {Y: 1e9, Name: script(5)}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if texts := words(read(t, plotted(t, p))); strings.ContainsAny(texts, "\x00\x1b") {
				t.Error("a control character came through")
			}
		})
	}
}

func TestAPlotWithoutDataSaysSo(t *testing.T) {
	t.Parallel()
	if texts := read(t, plotted(t, result.Plot{Title: "none"})); !strings.Contains(words(texts), "no data") {
		t.Error("it does not say that there is no data")
	}
	if texts := read(t, plotted(t, result.Plot{Lines: []result.Line{line("one", 1)}})); strings.Contains(words(texts), "no data") {
		t.Error("a plot of one point says that there is no data")
	}
}

func TestTheSameDataGiveTheSameBytes(t *testing.T) {
	t.Parallel()
	document := sample.Document()
	for _, p := range document.Scenarios[1].Plots {
		if string(plotted(t, p, "P1", "P0").File()) != string(plotted(t, p, "P0", "P1", "P0").File()) {
			t.Errorf("%s is drawn in two ways", p.ID)
		}
	}
	first, second := mapped(t, document.Maps[0]).File(), mapped(t, sample.Document().Maps[0]).File()
	if string(first) != string(second) {
		t.Error("the map is drawn in two ways")
	}
}
