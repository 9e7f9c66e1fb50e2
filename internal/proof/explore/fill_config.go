package explore

import (
	"time"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/cacheaside/memory"
)

// FillConfig says what a [Fills] may do. The numbers are budgets of one schedule: what is used up is no choice any more.
type FillConfig struct {
	Gets      []int // of each actor; there are as many actors
	Updates   int   // of the source's row, each with its Invalidate
	Faults    int   // calls of the store that fail or whose reply is lost, and loads that fail
	Crashes   int   // of actors
	Leaves    int   // callers that leave before they are answered
	Blind     bool  // faults are those of lookups alone
	Whole     bool  // a call takes effect and is answered in one choice
	Evictions int   // of tombstones, before their time
	TimeSteps int

	// Writer is the actor in whose process the row is written and invalidated.
	Writer int

	// Skew is what the clock of the second actor is ahead of everybody's.
	Skew time.Duration

	Start  StartState
	Rule   FillRule
	Policy cacheaside.Policy

	// Fence is the rule of a fleet, whose policy is then as [FencePolicy]; what follows is of a fleet alone.
	Fence    FenceRule
	Losses   int  // of the entry, of its fence record, or of both at once, as far as the rule holds them apart
	StepBack bool // the server's clock may go back to the last grant where the record is lost
	Strict   bool // every promise of a fleet is held up to a rule that lets old values in, too
	Ordered  bool // revisions are, and the writer may put as well as invalidate

	// LatePuts lets a put arrive when nobody waits for it any more. Nothing but the order of revisions keeps it out then, of which an invalidation
	// knows nothing.
	LatePuts bool
	OnlyPuts bool // the writer puts whatever it writes
}

// StartState is what the store holds of the first version of the row when everything begins.
type StartState uint8

// The start states.
const (
	StartEmpty  StartState = iota // nothing
	StartStale                    // an entry past its soft expiry, by everybody's clock
	StartEnding                   // an entry that reaches its hard expiry while its refresh may still run, by everybody's clock
)

// FillRule is what the store makes of invalidations and conditions.
type FillRule uint8

// The fill rules.
const (
	TombstoneRule     FillRule = iota // those of the contract
	PlainDeleteRule                   // an invalidation deletes, as if it were enough
	UnconditionalRule                 // a fill goes over whatever is stored
)

// What the store of a [Fills] promises. The durations are such that hardly two sums of them are the same moment.
const (
	lookupTimeout = 11 * time.Millisecond
	recordTimeout = 13 * time.Millisecond
	endingBefore  = 19 * time.Millisecond // how long an entry of StartEnding is there
)

// FillTTL is the life of what the store holds: as the conditions of Invalidate ask it to be under [FillPolicy], with room for a skew of
// [FillSkew].
func FillTTL() memory.TTL {
	return memory.TTL{
		Soft: 131 * time.Millisecond, Hard: 331 * time.Millisecond, Negative: 331 * time.Millisecond, MinHard: 331 * time.Millisecond,
		Tombstone: 211 * time.Millisecond,
	}
}

// FillSkew is a seventh of a tombstone's life.
const FillSkew = 30 * time.Millisecond

// FillPolicy is a policy of milliseconds in which a caller waits for its refresh, and takes a stale value in every kind of trouble.
func FillPolicy() cacheaside.Policy {
	policy := cacheaside.SurvivePolicy()
	policy.MaxInFlightKeys, policy.MaxWaitersPerKey, policy.SourceConcurrency, policy.MaxOverduePerKey = 4, 4, 2, 2
	policy.AdmissionWait, policy.LoadDeadline, policy.RecordWait = 17*time.Millisecond, 53*time.Millisecond, 7*time.Millisecond
	policy.FailureBackoff, policy.ServeStale.RefreshWait = 23*time.Millisecond, 29*time.Millisecond
	return policy
}
