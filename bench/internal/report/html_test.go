package report_test

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cacheaside/resilience/bench/internal/report"
	"github.com/cacheaside/resilience/bench/internal/result"
)

// parsed is what a page consists of.
type parsed struct {
	text     string // of all elements but the style sheet and the drawings
	headings []string
	elements map[string]int
	ids      []string
	links    []string // without their #
	classes  map[string]int
}

// written writes a report and parses its page, which must be well-formed: every element that is opened is closed in its turn.
func written(t *testing.T, doc *result.Document) (string, parsed) {
	t.Helper()
	dir := t.TempDir()
	if err := report.Write(dir, doc); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(dir, "report.html"))
	if err != nil {
		t.Fatal(err)
	}
	return dir, parse(t, string(page))
}

func parse(t *testing.T, page string) parsed {
	t.Helper()
	p := parsed{elements: map[string]int{}, classes: map[string]int{}}
	decoder := xml.NewDecoder(strings.NewReader(page))
	decoder.Strict, decoder.AutoClose, decoder.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	var open []string
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("the page is not well-formed: %v", err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			p.start(t, token)
			open = append(open, token.Name.Local)
		case xml.EndElement:
			if last := open[len(open)-1]; last != token.Name.Local {
				t.Fatalf("</%s> closes <%s>", token.Name.Local, last)
			}
			open = open[:len(open)-1]
		case xml.CharData:
			p.chars(open, string(token))
		}
	}
	if len(open) > 0 {
		t.Errorf("%v are not closed", open)
	}
	return p
}

func (p *parsed) start(t *testing.T, element xml.StartElement) {
	t.Helper()
	p.elements[element.Name.Local]++
	if name := element.Name.Local; name == "h1" || name == "h2" || name == "h3" {
		p.headings = append(p.headings, "")
	}
	for _, a := range element.Attr {
		switch a.Name.Local {
		case "id":
			p.ids = append(p.ids, a.Value)
		case "href":
			target, inside := strings.CutPrefix(a.Value, "#")
			if !inside {
				t.Errorf("<%s> refers to %q outside of the page", element.Name.Local, a.Value)
			}
			p.links = append(p.links, target)
		case "class":
			for name := range strings.FieldsSeq(a.Value) {
				p.classes[name]++
			}
		case "src", "srcset", "action", "data", "onload", "onclick", "onerror":
			t.Errorf("<%s> has an attribute %s", element.Name.Local, a.Name.Local)
		}
	}
}

func (p *parsed) chars(open []string, text string) {
	if slices.Contains(open, "style") || slices.Contains(open, "svg") {
		return
	}
	p.text += text
	for _, name := range open {
		if name == "h1" || name == "h2" || name == "h3" {
			p.headings[len(p.headings)-1] += text
		}
	}
}

// sound checks what holds for every page.
func (p parsed) sound(t *testing.T) {
	t.Helper()
	for _, name := range []string{"script", "link", "img", "iframe", "image", "object", "form", "base"} {
		if p.elements[name] > 0 {
			t.Errorf("the page has <%s>", name)
		}
	}
	ids := slices.Sorted(slices.Values(p.ids))
	if unique := slices.Compact(slices.Clone(ids)); len(unique) != len(ids) {
		t.Errorf("ids are used twice: %v", ids)
	}
	for _, link := range p.links {
		if !slices.Contains(ids, link) {
			t.Errorf("a link leads to %q, which is not there", link)
		}
	}
	for _, heading := range []string{"Stampede lab: report", "Summary", "Where these results do not hold"} {
		if !slices.Contains(p.headings, heading) {
			t.Errorf("the heading %q is missing", heading)
		}
	}
	for _, unfit := range []string{"NaN", "Inf", "%!", "ZgotmplZ"} {
		if strings.Contains(p.text, unfit) {
			t.Errorf("the page says %q", unfit)
		}
	}
}
