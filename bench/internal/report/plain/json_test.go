package plain_test

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/cacheaside/resilience/bench/internal/report/plain"
	"github.com/cacheaside/resilience/bench/internal/report/sample"
	"github.com/cacheaside/resilience/bench/internal/result"
)

func TestADocumentIsWrittenAsTheStandardLibraryWritesIt(t *testing.T) {
	t.Parallel()
	for name, document := range map[string]*result.Document{
		"full": sample.Document(), "empty": {}, "huge": {Seconds: 1e308, Seed: math.MaxUint64, Command: "<script>\x00\xff\u2028"},
	} {
		want, err := json.MarshalIndent(document, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		got, err := plain.JSON(document)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != string(want)+"\n" {
			t.Errorf("the %s document is not what encoding/json writes", name)
		}
	}
}

func TestWhatIsWrittenIsReadBackAsItWas(t *testing.T) {
	t.Parallel()
	document := sample.Document()
	text, err := plain.JSON(document)
	if err != nil {
		t.Fatal(err)
	}
	var back result.Document
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(&back, document) {
		t.Error("the document is another one after being written and read")
	}
}

func TestANumberThatJSONHasNoWordsForIsNull(t *testing.T) {
	t.Parallel()
	document := &result.Document{
		Seconds: math.NaN(),
		Scenarios: []result.Scenario{{
			Runs:  []result.Run{{Goodput: math.Inf(1), Endings: map[string]int64{"hit": 1}}},
			Plots: []result.Plot{{Y: result.Axis{Min: math.NaN()}, Lines: []result.Line{{Data: []result.Point{{X: 1, Y: math.Inf(-1)}}}}}},
		}},
		Maps: []result.Map{{Panels: []result.MapPanel{{Cells: [][]float64{{math.NaN()}}}}}},
	}
	text, err := plain.JSON(document)
	if err != nil {
		t.Fatal(err)
	}
	if !json.Valid(text) {
		t.Error("not JSON")
	}
	if nulls := strings.Count(string(text), "null"); nulls < 5 {
		t.Errorf("%d nulls, want one at least for each of the 5 values", nulls)
	}
	for _, wanted := range []string{`"goodput": null`, `"min": null`, `"y": null`, `"hit": 1`} {
		if !strings.Contains(string(text), wanted) {
			t.Errorf("%s is missing", wanted)
		}
	}
}

func TestWhatIsNotPlainDataIsRefusedByItsType(t *testing.T) {
	t.Parallel()
	for want, value := range map[string]any{
		"chan int":       struct{ C chan int }{make(chan int)},
		"map[int]string": map[int]string{1: "one"},
	} {
		if _, err := plain.JSON(value); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v does not name %s", err, want)
		}
	}
	if text, err := plain.JSON(nil); err != nil || string(text) != "null\n" {
		t.Errorf("nothing is written as %q, %v", text, err)
	}
}
