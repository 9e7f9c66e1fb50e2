package draw_test

import (
	"math"
	"strings"
	"testing"

	"github.com/cacheaside/resilience/bench/internal/result"
)

func square(cells ...float64) result.Map {
	m := result.Map{Utilisations: []float64{0.1, 0.9}, Triggers: []float64{0.5, 30}, LimitSeconds: 90}
	m.Panels = []result.MapPanel{{Contender: "P0", Name: "plain", Cells: [][]float64{cells[:2], cells[2:]}}}
	return m
}

// fills counts the areas of a colour.
func fills(t *testing.T, m result.Map, colour string) int {
	t.Helper()
	svg := mapped(t, m)
	read(t, svg)
	return strings.Count(svg.Inline(), "style=\"fill:"+colour+"\"")
}

func TestOnlyWhatNeverRecoversIsBlack(t *testing.T) {
	t.Parallel()
	// A fill of plain black is the canvas's default, and written as no style at all.
	black := func(m result.Map) int {
		svg := mapped(t, m).Inline()
		return strings.Count(svg, "Z\"  />")
	}
	none := black(square(0, 1, 45, 90))
	if more := black(square(0, -1, 45, -1)) - none; more != 2 {
		t.Errorf("two cells that never recover add %d black areas", more)
	}
	if more := black(square(0, -2, 45, math.NaN())) - none; more != 0 {
		t.Errorf("cells that were not measured add %d black areas", more)
	}
}

func TestWhatWasNotMeasuredIsGrey(t *testing.T) {
	t.Parallel()
	const grey = "#DCDCDC"
	none := fills(t, square(0, 1, 2, 3), grey)
	for name, m := range map[string]result.Map{
		"said so": square(0, -2, 2, -2), "not allowed": square(0, math.NaN(), 2, math.Inf(1)), "negative": square(0, -7, 2, -1.5),
	} {
		if more := fills(t, m, grey) - none; more != 2 {
			t.Errorf("%s: two cells add %d grey areas", name, more)
		}
	}
	short := square(0, 1, 2, 3)
	short.Panels[0].Cells = short.Panels[0].Cells[:1]
	if more := fills(t, short, grey) - none; more != 2 {
		t.Errorf("a row that is missing adds %d grey areas, want one for each of its 2 cells", more)
	}
}

func TestCellsSayTheirSecondsWhereThereIsRoom(t *testing.T) {
	t.Parallel()
	texts := read(t, mapped(t, square(0.04, 1.25, 12.4, -1)))
	for _, wanted := range []string{"0", "1.3", "12", "never"} {
		find(t, texts, wanted)
	}
	crowded := square(1, 2, 3, 4)
	for i := range 200 {
		crowded.Utilisations = append(crowded.Utilisations, 1+float64(i))
		crowded.Panels[0].Cells[0] = append(crowded.Panels[0].Cells[0], 77)
	}
	if strings.Contains(words(read(t, mapped(t, crowded))), "77") {
		t.Error("values are written into cells too narrow for them")
	}
}

func TestAPanelHasTheShortestTriggerAtItsFoot(t *testing.T) {
	t.Parallel()
	texts := read(t, mapped(t, square(11, 12, 13, 14)))
	if find(t, texts, "11").up >= find(t, texts, "13").up || find(t, texts, "11").x >= find(t, texts, "12").x {
		t.Error("cells are not by trigger upwards and by utilisation to the right")
	}
	if find(t, texts, "0.5").up >= find(t, texts, "30").up {
		t.Error("the labels of the triggers are not in that order")
	}
}

func TestAMapIsSoundWhateverItsData(t *testing.T) {
	t.Parallel()
	nine := square(1, 2, 3, 4)
	for i := range 8 {
		nine.Panels = append(nine.Panels, result.MapPanel{Contender: script(i), Name: script(i), Black: math.NaN()})
	}
	endless := square(0, 1e300, math.MaxFloat64, 5)
	endless.LimitSeconds = math.Inf(1)
	for name, m := range map[string]result.Map{
		"nothing at all": {}, "no cells": {Panels: []result.MapPanel{{Contender: "P0"}}}, "nine panels": nine, "no limit": endless,
		"axes without numbers": {Utilisations: []float64{math.NaN()}, Triggers: []float64{math.Inf(1)}, Panels: nine.Panels},
		"huge limit":           {Utilisations: []float64{1e300}, Triggers: []float64{1e-300}, LimitSeconds: 1e300, Panels: nine.Panels},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if strings.ContainsAny(words(read(t, mapped(t, m))), "\x00\x1b") {
				t.Error("a control character came through")
			}
		})
	}
}
