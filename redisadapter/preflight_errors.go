package redisadapter

import (
	"strings"
	"time"
)

// Finding is what every error of [Preflight] tells. No field of it holds a key, a password or a server's own message.
type Finding struct {
	// Setting is the name of what was looked at: of the server's configuration or report where it has one.
	Setting string
	// Seen is its value, or why it could not be seen.
	Seen string
	// Wanted is what it must be.
	Wanted string
	// Consequence is what goes wrong otherwise, and what to do.
	Consequence string
	// Node is the host and port of the primary, where the client is one of a cluster or a ring.
	Node string
}

func (f Finding) text(prefix string) string {
	var b strings.Builder
	b.WriteString("redisadapter: ")
	if f.Node != "" {
		b.WriteString("node " + f.Node + ": ")
	}
	b.WriteString(prefix + f.Setting + " is " + f.Seen + ", must be " + f.Wanted + ": " + f.Consequence)
	return b.String()
}

// DeploymentError says that this is not a server, or not a client, that the work can be kept on. There is no opt-out.
type DeploymentError struct{ Finding }

// Error names setting, seen, wanted and consequence.
func (e *DeploymentError) Error() string { return e.text("") }

// EvictionError says that the server may drop what it was given when its memory is full. There is no opt-out.
type EvictionError struct{ Finding }

// Error names setting, seen, wanted and consequence.
func (e *EvictionError) Error() string { return e.text("") }

// DurabilityError says that the server answers before a write is safe on disk. [Needs.AcknowledgedWritesMayBeLost] accepts it.
type DurabilityError struct{ Finding }

// Error names setting, seen, wanted and consequence.
func (e *DurabilityError) Error() string { return e.text("") }

// UnverifiableError says that a setting could not be seen. [Needs.UnverifiedServerAccepted] accepts it, but for a server that is not reached.
type UnverifiableError struct {
	Finding
	// Unreachable tells that the server did not answer, or cannot serve at present, rather than that it would not tell.
	Unreachable bool

	cause error
}

// Error begins with "posture unknown" and names setting, reason, wanted and consequence.
func (e *UnverifiableError) Error() string { return e.text("posture unknown: ") }

// Unwrap gives the client's error, if there was one, whose text may hold an address or a server's message.
func (e *UnverifiableError) Unwrap() error { return e.cause }

// CapabilityError says that the server refuses what every script needs. There is no opt-out.
type CapabilityError struct {
	Finding

	cause error
}

// Error names setting, seen, wanted and consequence.
func (e *CapabilityError) Error() string { return e.text("") }

// Unwrap gives the client's error, if there was one, whose text may hold an address or a server's message.
func (e *CapabilityError) Unwrap() error { return e.cause }

// IdentityChangedError says that another server answers than the one that granted before, or the same one after a restart or a time as a replica:
// what was granted may be unknown to it. [Needs.ResumeAfterFailover] accepts it, after [Needs.MaxHold].
type IdentityChangedError struct {
	Finding
	// Resumes tells that ResumeAfterFailover is on, so that this ends by itself.
	Resumes bool
	// Remaining is what is left of MaxHold then.
	Remaining time.Duration
}

// Error names setting, seen, wanted and consequence.
func (e *IdentityChangedError) Error() string { return e.text("") }
