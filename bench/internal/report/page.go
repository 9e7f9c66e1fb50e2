package report

import (
	"html/template"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/cacheaside/resilience/bench/internal/report/draw"
	"github.com/cacheaside/resilience/bench/internal/report/figure"
	"github.com/cacheaside/resilience/bench/internal/result"
)

// page is the document in words, ready for the template, which decides nothing but where they stand.
type page struct {
	Complete  bool
	Summary   string
	Facts     []result.Parameter
	Matrix    grid
	Failed    grid
	Maps      []mapView
	Scenarios []scenarioView
	Tables    []tableView
	Limits    []string
}

type mapView struct {
	Anchor, Title string
	Headline      grid
	Picture       picture
}

// picture is a drawing with what there is to say about it.
type picture struct {
	SVG           template.HTML
	Caption, Path string
	Width, Least  int // in pixels; narrower than the least, the text could not be read
}

type scenarioView struct {
	Anchor, Heading, Question, Mode string
	Parameters                      []result.Parameter
	Runs, Endings, Checks           grid
	Verdicts                        string
	Pictures                        []picture
	Notes                           []string
}

type tableView struct {
	Anchor, Title, Note string
	Grid                grid
}

func newPage(doc *result.Document, drawn drawings) page {
	names := namer{"summary": true, "maps": true, "limits": true, "scenarios": true}
	anchors := make([]string, len(doc.Scenarios))
	for i, s := range doc.Scenarios {
		anchors[i] = names.name("scenario-"+s.ID, "scenario")
	}
	p := page{
		Complete: doc.Complete, Summary: tallyOf(doc).sentence(), Facts: facts(doc), Matrix: matrix(doc, anchors, drawn.palette),
		Failed: failures(doc, anchors), Limits: clean(doc.Limits),
	}
	for i, m := range doc.Maps {
		p.Maps = append(p.Maps, mapView{
			Anchor: names.name("map-"+m.ID, "map"), Title: figure.Clean(m.Title), Headline: headline(m, drawn.palette),
			Picture: pictureOf(drawn.maps[i], m.Caption),
		})
	}
	for i, s := range doc.Scenarios {
		p.Scenarios = append(p.Scenarios, newScenario(s, anchors[i], drawn.plots[i], drawn.palette))
	}
	for _, t := range doc.Tables {
		p.Tables = append(p.Tables, newTable(t, names.name("table-"+t.Title, "table")))
	}
	return p
}

// facts are what a reader needs to run it again.
func facts(doc *result.Document) []result.Parameter {
	m := doc.Machine
	machine := []string{m.CPU}
	if m.CPUs > 0 {
		machine = append(machine, strconv.Itoa(m.CPUs)+" CPUs")
	}
	machine = append(machine, strings.Trim(m.OS+"/"+m.Arch, "/"), m.Go)
	var versions []string
	for _, name := range slices.Sorted(maps.Keys(doc.Versions)) {
		versions = append(versions, name+" "+doc.Versions[name])
	}
	var all []result.Parameter
	for _, fact := range []result.Parameter{
		{Name: "command", Value: doc.Command}, {Name: "started", Value: doc.Started}, {Name: "took", Value: figure.Seconds(doc.Seconds)},
		{Name: "seed", Value: strconv.FormatUint(doc.Seed, 10)}, {Name: "machine", Value: join(machine)}, {Name: "versions", Value: join(versions)},
	} {
		if fact.Value = figure.Clean(fact.Value); fact.Value != "" {
			all = append(all, fact)
		}
	}
	return all
}

func join(parts []string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ", ")
}

// headline is the part of a map that is black, by contender.
func headline(m result.Map, palette *draw.Palette) grid {
	g := grid{Columns: []column{{Name: "contender"}, {Name: "never recovers in", Number: true}}}
	for _, p := range m.Panels {
		g.Rows = append(g.Rows, []cell{{Text: figure.Name(p.Contender, p.Name), Swatch: swatch(palette, p.Contender)}, {Text: figure.Percent(p.Black)}})
	}
	return g
}

func pictureOf(d drawing, caption string) picture {
	return picture{SVG: template.HTML(d.svg.Inline()), Caption: figure.Clean(caption), Path: d.path, Width: d.svg.Width, Least: d.svg.Width * 4 / 5}
}

func clean(lines []string) []string {
	var all []string
	for _, line := range lines {
		all = append(all, figure.Clean(line))
	}
	return all
}

func swatch(palette *draw.Palette, contender string) template.CSS {
	return template.CSS(palette.Hex(contender))
}
