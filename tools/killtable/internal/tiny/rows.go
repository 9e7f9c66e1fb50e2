package tiny

import (
	"strconv"
	"strings"

	"github.com/cacheaside/resilience/tools/killtable/internal/kit"
)

// Pattern is the text of the module's one file that rows of it replace.
const Pattern = "	if n > 10 {\n"

// Row is a sabotage that takes the bound off, with the test that shall notice and the control that shall not.
func Row(name, red, control string) kit.Row {
	return kit.Row{
		Name: name, Package: "lib", Instead: "does not bound at all", Promise: "Ten is the most.",
		Red: red, Controls: []string{control},
	}
}

// Table joins rows, which all replace the same text, into a table.
func Table(rows ...kit.Row) []kit.Row {
	var asked []string
	for _, row := range rows {
		asked = append(asked, "sabotaged("+strconv.Quote(row.Name)+")")
	}
	shared := kit.Edit{File: "lib/lib.go", Old: Pattern, New: "	if n > 10 && !(" + strings.Join(asked, " || ") + ") {\n"}
	for i := range rows {
		rows[i].Edits = []kit.Edit{shared}
	}
	return rows
}

// Killed is a row without a fault.
func Killed() kit.Row { return Row("unbounded", "TestTenIsTheMost", "TestTwiceIsDouble") }
