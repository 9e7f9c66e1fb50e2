package main

import (
	"io"
	"slices"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/live"
	"github.com/cacheaside/resilience/bench/internal/scenario"
)

// list says what there is to be run.
func list(out io.Writer) {
	scenarios := table.NewWriter()
	scenarios.SetOutputMirror(out)
	scenarios.AppendHeader(table.Row{"scenario", "modes", "what it asks"})
	var known []string
	for _, s := range scenario.All() {
		modes := modeSim
		if slices.Contains(lively(), s.ID) {
			modes += ", " + modeLive
		}
		known = append(known, s.ID)
		scenarios.AppendRow(table.Row{s.ID, modes, s.Title})
	}
	scenarios.AppendRow(table.Row{scenario.MapID, modeSim, "Metastability map: who recovers from a slow source, by load and by length"})
	for _, s := range live.List() {
		if !slices.Contains(known, s.ID) {
			scenarios.AppendRow(table.Row{s.ID, modeLive, s.Title})
		}
	}
	scenarios.Render()
	policies := table.NewWriter()
	policies.SetOutputMirror(out)
	policies.AppendHeader(table.Row{"policy", "how it reads"})
	for _, c := range contender.All() {
		policies.AppendRow(table.Row{c.ID, c.Name})
	}
	policies.Render()
}
