//go:build race

package cacheaside_test

// underRace is whether the race detector, under which everything takes ten times as long, watches.
const underRace = true
