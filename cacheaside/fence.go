package cacheaside

import (
	"context"
	"time"
)

// Coordination says whether the processes of a fleet know of one another's loads.
type Coordination uint8

// The ways to coordinate.
const (
	// Local loads once per process and key. What keeps an old value out is the condition of each record: docs/invalidate.md states when that holds.
	Local Coordination = iota

	// Fleet loads once per fleet and key, and refuses every fill that began before an invalidation, also where the store evicts. It needs a cache
	// that is a [Fencer] and was built for fenced fills.
	Fleet
)

// String returns the constant's name.
func (c Coordination) String() string {
	if c == Local {
		return "Local"
	}
	return name(coordinationNames[:], int(c))
}

// HeldAction is what a load does that has waited for another process's load of its key as long as it may.
type HeldAction uint8

// The actions.
const (
	HeldReject HeldAction = iota // its callers are refused with ReasonHeld
	HeldLoad                     // it asks the source itself, within the bounds, and records nothing
)

// String returns the constant's name.
func (a HeldAction) String() string {
	if a == HeldReject {
		return "HeldReject"
	}
	return name(heldActionNames[:], int(a))
}

// Fencer is the optional side of a [Cache] that coordinates the loads of a fleet by fenced fills. Beside each entry, in one atomic store with it,
// lives a fence record: the highest token given out, whose it is, and until when. Every operation is one atomic step, decided on the store's own
// clock. A record may be lost at any moment: that refuses a fill, and lets none in.
//
// The rule is that of fencing tokens (M. Kleppmann, "How to do distributed locking", 2016), with one addition: a fill is accepted only if the record
// is there and both its token and its request are the caller's, so that neither a lost record nor a token given twice lets an old value in.
type Fencer[K comparable, V any] interface {
	// Invalidate also issues a token, so that no fill that began before is accepted any more.
	Invalidator[K]

	// Fenced tells whether this cache was built for fenced fills. If so, it refuses [Cache.Record] as [RecordUnfenced].
	Fenced() bool

	// Acquire asks to be the one that loads key. If the entry is not what seen says (the empty observation: not absent), the answer is
	// [GrantAlreadyFilled] and nothing changes. If another request's grant is live, it is [GrantHeld]. Else a token above every earlier one is
	// issued for lease. Asking again with a request that holds the grant gives the same token.
	Acquire(ctx context.Context, key K, request RequestID, seen Observation, lease time.Duration) Grant

	// Fill stores entry if the fence record is there and is the fence's, and ends the grant. A grant that ran out and that nobody took over does
	// not refuse: finished work is kept. condition is asked for on top; its zero value asks for nothing. A fence that is not the record's is
	// [RecordNotApplied] with [RecordSuperseded].
	Fill(ctx context.Context, key K, fence Fence, entry Entry[V], condition Condition) RecordOutcome

	// Release ends the grant of a load that came to nothing, so that one failure does not hold back the fleet for the lease. It changes nothing
	// where the fence is not the record's; a fence without a token is that of its request, whatever its token is.
	Release(ctx context.Context, key K, fence Fence)
}

// RequestID tells the requests for grants apart, so that one that is repeated after its reply was lost gets its own grant. It is random.
type RequestID [16]byte

// Fence is what a grant is proved by.
type Fence struct {
	Token   uint64 // below 2^53
	Request RequestID
}

// GrantKind is what became of a request for a grant.
type GrantKind uint8

// The kinds of answer.
const (
	GrantGranted       GrantKind = iota + 1 // the caller is the one to load
	GrantHeld                               // another request's grant is live
	GrantAlreadyFilled                      // something else is stored than what was observed
	GrantUnavailable                        // no decision was made
	GrantIndeterminate                      // it is unknown whether one was made
)

// String returns the constant's name without its prefix.
func (k GrantKind) String() string { return name(grantKindNames[:], int(k)) }

// Grant is the answer to a request.
type Grant struct {
	Kind      GrantKind
	Fence     Fence         // of GrantGranted
	Remaining time.Duration // of GrantHeld: how long the other's grant lives at most
	Err       error         // of GrantUnavailable and GrantIndeterminate. It holds no key, payload or secret.
}

var (
	coordinationNames = [...]string{"Fleet"}
	heldActionNames   = [...]string{"HeldLoad"}
	grantKindNames    = [...]string{"Granted", "Held", "AlreadyFilled", "Unavailable", "Indeterminate"}
)
