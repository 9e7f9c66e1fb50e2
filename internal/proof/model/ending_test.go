package model_test

import "github.com/cacheaside/resilience/cacheaside"

// ending is how a flight ends, the same for all its callers.
type ending struct {
	text, record string
	value        string // of a load, "" of an absence
	recordable   bool
	remember     bool
	panicked     bool
	excuse       excuse
}

func (e ending) with(record string) ending {
	e.record = record
	return e
}

type excuse int

const (
	none excuse = iota
	transient
	rejected
	late
)

func refusal(reason string) ending {
	e := ending{text: "Rejected " + reason}
	switch reason {
	case cacheaside.ReasonLoadDeadline.String(), cacheaside.ReasonOverdue.String():
		e.excuse = late
	case cacheaside.ReasonSourceBackoff.String():
		e.excuse = transient
	default:
		e.excuse = rejected
	}
	return e
}
