package table

import (
	"slices"

	"github.com/cacheaside/resilience/tools/killtable/internal/kit"
)

// Rows gives the whole table, in the order of its files.
func Rows() []kit.Row {
	return slices.Concat(
		outcomeRows(), staleRows(), flightRows(), boundRows(), loadRows(), invalidationRows(), lateRows(), unusableRows(), tellingRows(),
		grantRows(), heldRows(), courseRows(), bulkheadRows(), envelopeRows(), jitterRows(), memoryRows(), memoryFenceRows(), writeRows(), scriptRows(), fenceRows(), readRows(), leaseRows(),
	)
}

const policy = "cacheaside" // the package of the policy, and the folder of its tests

// edit replaces a text that is in the file once.
func edit(file, old, fresh string) kit.Edit { return kit.Edit{File: file, Old: old, New: fresh} }

// before puts code in front of a text that is in the file once, and after behind it.
func before(file, text, code string) kit.Edit { return edit(file, text, code+text) }

func after(file, text, code string) kit.Edit { return edit(file, text, text+code) }

func edits(list ...kit.Edit) []kit.Edit { return list }

func tests(names ...string) []string { return names }
