package draw_test

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/cacheaside/resilience/bench/internal/report/draw"
	"github.com/cacheaside/resilience/bench/internal/result"
)

// text is one text of a drawing; up is how far its baseline is from the foot of the group it is in.
type text struct {
	words string
	x, up float64
}

// read parses a drawing as strictly as an XML parser does and checks what must hold for each: no ids, scripts, references or images, and every
// coordinate a number.
func read(t *testing.T, svg draw.SVG) []text {
	t.Helper()
	file := string(svg.File())
	if strings.Contains(file, "NaN") || strings.Contains(file, "Inf") {
		t.Error("the drawing has a coordinate that is not a number")
	}
	if count := strings.Count(file, "://"); count != 1 {
		t.Errorf("%d addresses, want that of the SVG namespace alone", count)
	}
	if strings.Contains(svg.Inline(), "xmlns") {
		t.Error("the drawing for a page names a namespace")
	}
	var texts []text
	var open []string
	decoder := xml.NewDecoder(strings.NewReader(file))
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			open = append(open, token.Name.Local)
			checkElement(t, token)
			if token.Name.Local == "text" {
				texts = append(texts, newText(t, token))
			}
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) > 0 && open[len(open)-1] == "text" {
				texts[len(texts)-1].words += string(token)
			}
		}
	}
	return texts
}

func checkElement(t *testing.T, element xml.StartElement) {
	t.Helper()
	switch element.Name.Local {
	case "svg", "g", "path", "text":
	default:
		t.Errorf("the drawing has an element <%s>", element.Name.Local)
	}
	for _, attribute := range element.Attr {
		switch attribute.Name.Local {
		case "id", "href", "src", "class":
			t.Errorf("<%s> has an attribute %s", element.Name.Local, attribute.Name.Local)
		}
	}
}

func newText(t *testing.T, element xml.StartElement) text {
	t.Helper()
	var found text
	for _, attribute := range element.Attr {
		value, err := strconv.ParseFloat(attribute.Value, 64)
		switch attribute.Name.Local {
		case "x":
			found.x = value
		case "y":
			found.up = -value
		default:
			continue
		}
		if err != nil {
			t.Error(err)
		}
	}
	return found
}

// words gives all texts of a drawing.
func words(texts []text) string {
	var all []string
	for _, t := range texts {
		all = append(all, t.words)
	}
	return strings.Join(all, "\n")
}

func find(t *testing.T, texts []text, wanted string) text {
	t.Helper()
	for _, found := range texts {
		if found.words == wanted {
			return found
		}
	}
	t.Fatalf("the drawing has no text %q among\n%s", wanted, words(texts))
	return text{}
}

func plotted(t *testing.T, p result.Plot, contenders ...string) draw.SVG {
	t.Helper()
	svg, err := draw.Plot(p, draw.NewPalette(contenders...))
	if err != nil {
		t.Fatal(err)
	}
	return svg
}

func mapped(t *testing.T, m result.Map) draw.SVG {
	t.Helper()
	svg, err := draw.Map(m)
	if err != nil {
		t.Fatal(err)
	}
	return svg
}

func line(name string, values ...float64) result.Line {
	l := result.Line{Name: name}
	for i, v := range values {
		l.Data = append(l.Data, result.Point{X: float64(i), Y: v})
	}
	return l
}

func script(n int) string {
	return fmt.Sprintf("%-64s", fmt.Sprintf("<script>alert(%d)</script>&\"'\x00\x1b", n))[:64]
}
