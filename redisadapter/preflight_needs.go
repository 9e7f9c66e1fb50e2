package redisadapter

import (
	"errors"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/cacheaside/resilience/cacheaside"
)

// DefaultPreflightTimeout limits one [Preflight] and one [Posture.Check].
const DefaultPreflightTimeout = 5 * time.Second

// Needs says what is to be kept on a server, and which losses are accepted. The zero value is the needs of the cache alone, which refuses no server.
type Needs struct {
	// Leases are fenced leases for work whose effects leave the server: their tokens must never go back.
	Leases bool
	// Slots are the slots and windows of a source's budget.
	Slots bool
	// Queue is a queue of background work.
	Queue bool
	// OnePrimary refuses a cluster, where the keys of different things are on different primaries.
	OnePrimary bool

	// MaxHold is the longest that a lease can be held, all its renewals included. It is needed for ResumeAfterFailover.
	MaxHold time.Duration
	// Known are the servers that leases were granted on in an earlier life of this process, as [Posture.Identities] gave them. Empty means that
	// none is remembered, and whatever is found is trusted from now on.
	Known []Identity

	// AcknowledgedWritesMayBeLost accepts a server that answers before a write is safe on disk: a crash may take granted tokens and queued work.
	// It silences every *[DurabilityError], and nothing else.
	AcknowledgedWritesMayBeLost bool
	// UnverifiedServerAccepted accepts a server that refuses to say how it is set up. It silences every *[UnverifiableError] of a server that
	// answers, and nothing else; a server that is not reached is not accepted by it.
	UnverifiedServerAccepted bool
	// ResumeAfterFailover goes on with another server, or the same one after a restart, once MaxHold has passed since the change was noticed:
	// whatever the former one granted has ended by then. Until then, and for ever without it, leases are refused with *[IdentityChangedError].
	ResumeAfterFailover bool

	// Timeout limits one check, all servers of a cluster together; a context can only shorten it. 0 means 5 s.
	Timeout time.Duration
	// Clock measures MaxHold, and is what the server's clock is compared with. nil means the real one.
	Clock clock.Clock
}

// coordinates tells whether anything but the cache is needed.
func (n Needs) coordinates() bool { return n.Leases || n.Slots || n.Queue }

func (n Needs) withDefaults() Needs {
	if n.Timeout == 0 {
		n.Timeout = DefaultPreflightTimeout
	}
	if n.Clock == nil {
		n.Clock = clock.New()
	}
	return n
}

// faults names everything that makes no sense.
func (n Needs) faults() error {
	var faults []error
	add := func(field, value, rule string) {
		faults = append(faults, &cacheaside.FieldError{Field: "Needs." + field, Value: value, Rule: rule})
	}
	if n.Timeout < time.Millisecond || n.Timeout > maxTimeout {
		add("Timeout", n.Timeout.String(), "must be 1ms to 1m, or 0 for 5s")
	}
	if n.MaxHold < 0 || n.ResumeAfterFailover && n.MaxHold == 0 {
		add("MaxHold", n.MaxHold.String(), "must be positive, the longest that a lease is held, where ResumeAfterFailover is on")
	}
	for _, known := range n.Known {
		if !known.valid() {
			add("Known", "malformed", "must hold what Posture.Identities gave")
			break
		}
	}
	return errors.Join(faults...)
}

// aspect is what a finding is about.
type aspect uint8

const (
	reach      aspect = iota // the server answers at all
	deployment               // it takes writes, at one place for one key
	eviction                 // it keeps what it was given
	durability               // it keeps it across a crash
	identity                 // it is the one that granted before
	capability               // it runs scripts
)

// require tells whether an aspect decides, or is only reported.
func (n Needs) require(a aspect) bool {
	switch a {
	case reach, deployment, durability:
		return n.Leases || n.Queue
	case identity:
		return n.Leases
	default:
		return n.coordinates()
	}
}
