package explore

import (
	"context"
	"errors"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

var errStoreDown = errors.New("explore: the store is down")

// sourceFailure is a failure of the source, with the load that it ended.
type sourceFailure struct{ load string }

func (e *sourceFailure) Error() string { return "explore: the source is down for " + e.load }

// The kinds of parked calls.
const (
	kindLookup     = "lookup"
	kindRecord     = "record"
	kindInvalidate = "invalidate"
	kindLoad       = "load"
)

// port is one actor's way to the store: every call for the row is parked, and given up after its time limit. Other keys are for the last check alone,
// and are neither there nor stored.
type port struct {
	fills *Fills
	actor *actor
}

// recording is what a record is to store.
type recording struct {
	entry     cacheaside.Entry[Row]
	condition cacheaside.Condition
	fence     cacheaside.Fence // of a fleet's fill
}

func (p *port) Lookup(ctx context.Context, key string) cacheaside.Lookup[Row] {
	if key != rowKey {
		return cacheaside.Lookup[Row]{Kind: cacheaside.LookupMiss, Miss: cacheaside.MissAbsent}
	}
	reply := p.park(ctx, kindLookup, lookupTimeout, nil)
	if found, ok := reply.(cacheaside.Lookup[Row]); ok {
		return found
	}
	return cacheaside.Lookup[Row]{Kind: cacheaside.LookupUnavailable, Err: errStoreDown}
}

func (p *port) Record(ctx context.Context, key string, entry cacheaside.Entry[Row], condition cacheaside.Condition) cacheaside.RecordOutcome {
	if key != rowKey {
		return cacheaside.RecordOutcome{Certainty: cacheaside.RecordNotApplied, Reason: cacheaside.RecordStoreRefused}
	}
	return outcomeOf(p.park(ctx, kindRecord, recordTimeout, recording{entry: entry, condition: condition}))
}

func (p *port) Invalidate(ctx context.Context, _ string) cacheaside.RecordOutcome {
	return outcomeOf(p.park(ctx, kindInvalidate, recordTimeout, nil))
}

// Lifetimes lets the region judge whether what the store holds outlives its loads.
func (p *port) Lifetimes() cacheaside.Lifetimes {
	lives := p.fills.store.cache.Lifetimes()
	lives.Lookup, lives.Record = lookupTimeout, recordTimeout
	return lives
}

func (p *port) park(ctx context.Context, kind string, limit time.Duration, what any) any {
	issuer, _ := ctx.Value(issuerKey{}).(string)
	now := time.Now()
	return p.fills.parking.Park(&Parked{
		Actor: p.actor.index, Issuer: issuer, Kind: kind, Since: now, Until: now.Add(limit), What: what, Told: &progress{},
	})
}

func outcomeOf(reply any) cacheaside.RecordOutcome {
	if outcome, ok := reply.(cacheaside.RecordOutcome); ok {
		return outcome
	}
	return cacheaside.RecordOutcome{Certainty: cacheaside.RecordIndeterminate, Err: errStoreDown}
}

// loader is the source of an actor. It does not heed its context: the worst loader there is.
func (f *Fills) loader(a *actor) cacheaside.Loader[string, Row] {
	return func(ctx context.Context, _ string) cacheaside.SourceOutcome[Row] {
		issuer, _ := ctx.Value(issuerKey{}).(string)
		call := &Parked{Actor: a.index, Issuer: issuer, Kind: kindLoad, Since: time.Now(), Told: &progress{}}
		if row, ok := f.parking.Park(call).(Row); ok {
			if f.cfg.Ordered {
				return cacheaside.Loaded(row, revisionOf(row.Version))
			}
			return cacheaside.Loaded(row, "")
		}
		return cacheaside.TransientFailure[Row]("down", &sourceFailure{call.Name()})
	}
}

// progress is what became of a parked call so far.
type progress struct {
	done    bool // it has taken effect, or read the row
	found   cacheaside.Lookup[Row]
	write   int // what was stored when a lookup was made
	outcome cacheaside.RecordOutcome
	grant   cacheaside.Grant
	passed  bool // a fence was the record's
	row     Row
	load    *load // of a call of the source, once it was taken in
}

func told(call *Parked) *progress { return call.Told.(*progress) } //nolint:errcheck // whatever is parked here has one
