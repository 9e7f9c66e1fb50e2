package memory

import (
	"encoding/binary"
	"strings"

	"github.com/cacheaside/resilience/cacheaside"
)

// version names one write. Both observations of it are parts of this one string, so that a lookup has them without making a string: eight bytes
// that ask for the very entry, and the same with a mark behind them for an observation that is also satisfied by an entry that is gone.
type version string

const (
	versionBytes = 8
	orGoneMark   = "~"
)

func newVersion(number uint64) version {
	var text [versionBytes + len(orGoneMark)]byte
	binary.BigEndian.PutUint64(text[:], number)
	copy(text[versionBytes:], orGoneMark)
	return version(text[:])
}

func (v version) exactly() cacheaside.Observation { return cacheaside.Observation(v[:versionBytes]) }
func (v version) orGone() cacheaside.Observation  { return cacheaside.Observation(v) }

// requirement is a parsed condition.
type requirement struct {
	absent bool   // only if there is nothing
	seen   string // else: only if this is stored
	orGone bool   // or nothing is
}

func requirementOf(condition cacheaside.Condition) requirement {
	text := string(condition.Observation)
	if text == "" {
		return requirement{absent: true}
	}
	if len(text) == versionBytes+len(orGoneMark) && strings.HasSuffix(text, orGoneMark) {
		return requirement{seen: text[:versionBytes], orGone: true}
	}
	return requirement{seen: text}
}

// refuses tells why a record must not replace what is stored, or 0. An entry past its hard expiry is still itself to whoever observed it; to
// everybody else it is gone.
func (r requirement) refuses(stored version, present, expired bool) cacheaside.RecordReason {
	same := present && !r.absent && string(stored.exactly()) == r.seen
	gone := !present || expired
	switch {
	case same:
		return 0
	case !gone:
		return cacheaside.RecordConditionFailed
	case r.absent, r.orGone:
		return 0
	default:
		return cacheaside.RecordObservationGone
	}
}
