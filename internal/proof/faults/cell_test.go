package faults_test

import (
	"fmt"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/internal/redistest"
	"github.com/cacheaside/resilience/redisadapter"
)

// fault is one way in which a connection fails: a row of the matrix.
type fault string

const (
	refuse       fault = "refuse"
	blackHole    fault = "black hole"
	late         fault = "late reply"
	resetBefore  fault = "reset before reply"
	resetMid     fault = "reset mid-reply"
	truncate     fault = "truncate"
	swallowKeep  fault = "swallow, keep"
	swallowClose fault = "swallow, close"
	halfOpen     fault = "half-open"
)

func faults() []fault {
	return []fault{refuse, blackHole, late, resetBefore, resetMid, truncate, swallowKeep, swallowClose, halfOpen}
}

// on is the fault as the proxy inflicts it: once, on the command where it is one of a command. A late reply comes when the proxy heals: long after the
// limit, and just before the commands that follow, so that it would be the answer to one of them on a connection that was kept.
func (f fault) on(command string) redistest.Fault {
	once := func(kind redistest.Kind) redistest.Fault {
		return redistest.Fault{Kind: kind, Commands: []string{command}, Times: 1}
	}
	switch f {
	case refuse:
		return redistest.Fault{Kind: redistest.Refuse}
	case blackHole:
		return once(redistest.BlackHole)
	case late:
		return once(redistest.Hold)
	case resetBefore:
		return once(redistest.ResetBeforeReply)
	case resetMid, truncate:
		cut := once(redistest.ResetMidReply)
		if f == truncate {
			cut.Kind = redistest.Truncate
		}
		cut.Bytes = 2 // of "+OK\r\n", ":1\r\n" or "$148\r\n...": never the whole
		return cut
	case swallowKeep:
		return once(redistest.SwallowAndKeep)
	case swallowClose:
		return once(redistest.SwallowAndClose)
	case halfOpen:
		return redistest.Fault{Kind: redistest.HalfOpen}
	}
	panic("no such fault: " + f)
}

// operation is what the cache does when the fault meets it: a column of the matrix. An observed record of a large value is two commands, and so two
// columns.
type operation string

const (
	lookup         operation = "lookup"
	recordAbsent   operation = "record, absent"
	recordObserved operation = "record, observed"
	stageLarge     operation = "large record, 1st"
	swapLarge      operation = "large record, 2nd"
	invalidate     operation = "invalidate"
)

func operations() []operation {
	return []operation{lookup, recordAbsent, recordObserved, stageLarge, swapLarge, invalidate}
}

// command is the one that the fault meets.
func (o operation) command() string {
	switch o {
	case lookup:
		return "GETRANGE"
	case recordAbsent, stageLarge:
		return "SET"
	case recordObserved, swapLarge, invalidate:
		return "EVALSHA"
	}
	panic("no such operation: " + o)
}

// outcome is what the cache says.
type outcome string

const (
	unavailable   outcome = "unavailable"   // a lookup that is no miss
	applied       outcome = "applied"       // certainly
	neverSent     outcome = "never sent"    // certainly not applied
	indeterminate outcome = "indeterminate" // it may be, or may yet be
)

// certainty is the outcome as a record and an invalidation tell it.
func (o outcome) certainty() (cacheaside.Certainty, cacheaside.RecordReason) {
	switch o {
	case applied:
		return cacheaside.RecordApplied, 0
	case neverSent:
		return cacheaside.RecordNotApplied, cacheaside.RecordNeverSent
	case indeterminate:
		return cacheaside.RecordIndeterminate, 0
	case unavailable:
	}
	panic("no outcome of a write: " + o)
}

// sent is how often the proxy must have seen each command, the read-back of a record included. Nothing else may be sent.
type sent struct{ ranges, sets, scripts int }

func (s sent) String() string { return fmt.Sprintf("%d/%d/%d", s.ranges, s.sets, s.scripts) }

// held is what the server has under the key afterwards.
type held string

const (
	nothing   held = "nothing"
	old       held = "old"
	renewed   held = "new"
	tombstone held = "tombstone"
)

// end is how long the call takes: a connection that is known to be broken is not waited for.
type end bool

const (
	atOnce  end = false
	atLimit end = true
)

// cell is what must come of one operation under one fault.
type cell struct {
	fault     fault
	operation operation
	outcome   outcome
	cause     redisadapter.Fault // of the error; 0 = there is none
	sent      sent
	holds     held
	leaves    leftover
	ends      end
}

// leftover tells whether a staged value that was never swapped in is still there, with a life of its own.
type leftover bool

const (
	noLeftover leftover = false
	leftStaged leftover = true
)
