package soak_test

import (
	"fmt"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

// rules are the durations that answers are judged by.
type rules struct {
	// oldest is how long after the end of its row a value may still be answered: the longest life of an entry, and of the load that it comes from.
	oldest time.Duration
	// reach is how long a load, its record and what lingers of it may go on after a moment at which they had begun.
	reach time.Duration
	// longest is how long a call may take.
	longest time.Duration
}

// answer is how one call of Get ended.
type answer struct {
	process      int
	key          string
	begun, ended time.Time
	status       cacheaside.Status
	value        value // of a usable status
	shared       bool
	early        bool                  // it may have left before the load was over: its context ended, or the record went on
	lookup       cacheaside.LookupKind // the caller's own
}

func (a answer) usable() bool {
	return a.status == cacheaside.StatusFresh || a.status == cacheaside.StatusLoaded || a.status == cacheaside.StatusStale
}

func (a answer) absent() bool {
	return a.status == cacheaside.StatusAbsent || a.status == cacheaside.StatusNegativeHit
}

// invalidation is one that was applied.
type invalidation struct {
	process      int
	begun, ended time.Time
	floor        int64 // the key's version when it began: older ones must not be answered any more
}

// loss is a time at which the server may have lost what it had acknowledged.
type loss struct{ begun, ended time.Time }

// breach is a broken promise.
type breach struct {
	rule string
	text string
}

// The rules by name.
const (
	ruleForeign     = "a value is one that the source gave for that very key"
	ruleOld         = "no value is older than its hard expiry allows"
	ruleInvalidated = "no value is from before an invalidation"
	ruleSlow        = "every call ends within its bounds"
	ruleError       = "an error beside every status but the usable ones, and of the right kind"
	ruleLoads       = "no more loads at once than there are permits"
	ruleWaiters     = "no more callers share a load than may wait for it"
	ruleGauges      = "gauges stay within the bounds"
	rulePool        = "connections stay within the pool"
	ruleWarned      = "the configuration weakens no promise"
)

// judge compares an answer with what the source was and with what was invalidated. binding tells whether an invalidation was among that.
func (r rules) judge(a answer, rows []row, invalidated []invalidation, losses []loss) (breaches []breach, binding bool) {
	add := func(rule, format string, args ...any) {
		breaches = append(breaches, breach{rule, fmt.Sprintf("%v of process %d: ", a.status, a.process) + fmt.Sprintf(format, args...)})
	}
	if took := a.ended.Sub(a.begun); took > r.longest {
		add(ruleSlow, "took %v, at most %v", took, r.longest)
	}
	floor, when := r.floor(a, invalidated, losses)
	binding = floor > 0 && (a.usable() || a.absent())
	switch {
	case a.usable():
		v := a.value
		if v.Key != a.key || v.Version < 1 || v.Version > int64(len(rows)) || v.Padding != padding(v.Version) {
			add(ruleForeign, "version %d with %d bytes of %q for %q", v.Version, len(v.Padding), v.Key, a.key)
			return breaches, binding
		}
		of := rows[v.Version-1]
		if of.absent || of.since.UnixNano() != v.Since {
			add(ruleForeign, "version %d was never a value like this", v.Version)
		}
		if end, ended := endOf(rows, v.Version); ended && a.begun.Sub(end) > r.oldest {
			add(ruleOld, "version %d ended %v before the call, at most %v", v.Version, a.begun.Sub(end), r.oldest)
		}
		if v.Version < floor {
			add(ruleInvalidated, "version %d, and %d was invalidated %v before the call (lookup %v, shared %v)",
				v.Version, floor, a.begun.Sub(when), a.lookup, a.shared)
		}
	case a.absent():
		r.judgeAbsence(a, rows, floor, add)
	}
	return breaches, binding
}

// judgeAbsence looks for an absent row that the answer may be of.
func (r rules) judgeAbsence(a answer, rows []row, floor int64, add func(rule, format string, args ...any)) {
	rule := ruleForeign
	for _, of := range rows {
		end, ended := endOf(rows, of.version)
		switch {
		case !of.absent || of.since.After(a.ended):
		case ended && a.begun.Sub(end) > r.oldest:
			rule = ruleOld
		case of.version < floor:
			rule = ruleInvalidated
		default:
			return
		}
	}
	add(rule, "no row of late, since version %d, was absent", floor)
}

// endOf is when a version was replaced, if there was one like that and it was.
func endOf(rows []row, version int64) (end time.Time, ended bool) {
	if version > 0 && version < int64(len(rows)) {
		return rows[version].since, true
	}
	return time.Time{}, false
}

// floor is the oldest version that may be answered, by the last invalidation before the call that its conditions hold for; 0 where there is none.
func (r rules) floor(a answer, invalidated []invalidation, losses []loss) (floor int64, when time.Time) {
	for i := len(invalidated) - 1; i >= 0; i-- {
		if by := invalidated[i]; by.ended.Before(a.begun) && r.holds(a, by, losses) {
			return by.floor, by.ended
		}
	}
	return 0, time.Time{}
}

// holds tells whether docs/invalidate.md promises something of this invalidation to this call. A tombstone that was lost while a load from before it
// may still have been under way stopped nothing. And a caller whose own lookup fails has not seen the tombstone of another process, and may share a
// load of its own process from before it.
func (r rules) holds(a answer, by invalidation, losses []loss) bool {
	for _, lost := range losses {
		if !lost.ended.Before(by.begun) && lost.begun.Before(by.ended.Add(r.reach)) {
			return false
		}
	}
	unseen := a.lookup == cacheaside.LookupUnavailable && a.shared && a.process != by.process
	return !unseen || by.ended.Add(r.reach).Before(a.begun)
}
