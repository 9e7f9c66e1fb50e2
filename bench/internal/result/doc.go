// Package result is what a run of the lab found, as plain data: the whole of results.json, and all that a report shows. It measures nothing and
// draws nothing.
//
// Durations are seconds in float64 and say so by their names' suffix Seconds, or milliseconds and Milliseconds; a recovery of -1 is never.
package result
