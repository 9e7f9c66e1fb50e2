package explore

import (
	"fmt"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

// FenceRule is what a store under [cacheaside.Fleet] asks for before it accepts a fill. The zero value is none: the regions are under
// [cacheaside.Local].
type FenceRule uint8

// The fence rules. Of all but the first the entry and its fence record are two things, of which each can be lost by itself, as on a server that
// evicts.
const (
	NoFences FenceRule = iota

	FencedRule // a cacheaside/memory cache for fenced fills, held at every call against the next rule
	ApartRule  // the record is there, and its token and its request are the fill's; an invalidation issues a token and puts a tombstone

	PlainSetRule      // nothing is asked
	DigestRule        // what was observed is stored still; an invalidation deletes
	EntryTokenRule    // the token is above that stored in the entry; an invalidation deletes
	DyingCounterRule  // the token is the highest issued, which is forgotten when its lease ends
	TokenAloneRule    // the record is there and the token is its own, whosever request it was
	TwoServersRule    // as ApartRule, but the record is looked at in one step and the entry written in another
	UngrantedToo      // as ApartRule, and whoever was given no answer stores what it loaded if what it observed is stored still
	LostRecordAccepts // as ApartRule, but a record that is not there refuses nobody
	GenerousRule      // as ApartRule, but whoever asks is granted
)

// sound tells whether every promise is to hold under the rule.
func (r FenceRule) sound() bool { return r <= ApartRule }

// acquireTimeout is how long a request for a grant may take.
const acquireTimeout = 12 * time.Millisecond

// FencePolicy is [FillPolicy] for a fleet. A grant of it lives for 96 ms, and a flight waits for two of them.
func FencePolicy() cacheaside.Policy {
	policy := FillPolicy()
	policy.Coordination = cacheaside.Fleet
	return policy
}

// FenceLease is how long a grant lives under [FencePolicy].
func FenceLease() time.Duration { return leaseUnder(FencePolicy()) }

func leaseUnder(policy cacheaside.Policy) time.Duration {
	return policy.AdmissionWait + policy.LoadDeadline + 2*recordTimeout
}

// revisionOf gives revisions that are ordered as versions are.
func revisionOf(version int) cacheaside.Revision {
	return cacheaside.Revision(fmt.Sprintf("%04d", version))
}
