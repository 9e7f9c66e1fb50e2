package main

import (
	"fmt"

	"github.com/cacheaside/resilience/tools/killtable/internal/kit"
)

// markdown prints one table line for each promise and test: the promise, the test that shows it, and the sabotages that the test kills.
func (r *renderer) markdown(rows []kit.Row) {
	type pair struct{ promise, red string }
	var order []pair
	killed := map[pair]string{}
	for _, row := range rows {
		shown := pair{row.Promise, row.Package + "." + row.Red}
		if killed[shown] == "" {
			order = append(order, shown)
		} else {
			killed[shown] += "<br>"
		}
		killed[shown] += "`" + row.Name + "`"
	}
	for _, shown := range order {
		fmt.Fprintf(r.out, "| %s | `%s` | %s |\n", shown.promise, shown.red, killed[shown])
	}
}
