package lease

import "time"

// AcquireKind is what became of a request for a lease.
type AcquireKind uint8

// The kinds. The zero value is none.
const (
	Granted AcquireKind = iota + 1 // the caller holds it
	Held                           // another request's lease is live
	Late                           // it was granted, but the answer took longer than the lease: the caller must take it as over
)

// String returns the constant's name.
func (k AcquireKind) String() string { return name(acquireNames[:], int(k)) }

// Loss is why a lease is not the caller's any more.
type Loss uint8

// The reasons. The zero value is none: the lease is the caller's.
const (
	NotLost        Loss = iota
	LostSuperseded      // the token is not the highest that the store knows of the key
	LostExpired         // its time is up, or it was released; nobody has been granted it since
	LostMaxHold         // it has been held for MaxHold since its grant
	LostLate            // it was renewed, but the answer took longer than the lease: the caller must take it as over
)

// String returns the constant's name.
func (l Loss) String() string { return name(lossNames[:], int(l)) }

// Grant is a lease as its holder has it.
type Grant struct {
	Token Token

	// Expires and Now are the end of the lease and the moment of the decision by the store's clock. Only their difference means anything elsewhere.
	Expires, Now time.Time

	// ValidUntil is the end of the lease on the caller's monotonic clock, counted from before the request was sent: never later than the store's.
	ValidUntil time.Time
}

// NewGrant is for stores: a grant that a call that began at the given moment of the caller's clock was answered with.
func NewGrant(token Token, expires, now, began time.Time) Grant {
	return Grant{Token: token, Expires: expires, Now: now, ValidUntil: began.Add(expires.Sub(now))}
}

// ValidAt tells whether the holder may still count on the lease at a moment of its own clock. The end is not part of it.
func (g Grant) ValidAt(at time.Time) bool { return at.Before(g.ValidUntil) }

// Acquired is the answer to a request for a lease.
type Acquired struct {
	Kind AcquireKind

	Grant Grant // of Granted and Late

	Owner     string        // of Held: who holds it
	Remaining time.Duration // of Held: for how long at most, if it is not renewed; above 0
}

// AcquiredAt is for stores: a grant whose answer arrived at the given moment of the caller's clock.
func AcquiredAt(g Grant, at time.Time) Acquired {
	if g.ValidAt(at) {
		return Acquired{Kind: Granted, Grant: g}
	}
	return Acquired{Kind: Late, Grant: g}
}

// Renewed is the answer to a renewal.
type Renewed struct {
	Lost  Loss  // why it was not, or NotLost
	Grant Grant // of NotLost and LostLate
}

// RenewedAt is for stores: a renewal whose answer arrived at the given moment of the caller's clock.
func RenewedAt(g Grant, at time.Time) Renewed {
	if g.ValidAt(at) {
		return Renewed{Grant: g}
	}
	return Renewed{Lost: LostLate, Grant: g}
}

// Released is the answer to a release.
type Released struct {
	Lost Loss // why there was nothing to release, or NotLost
}

// Inspection is what a store knows of a key.
type Inspection struct {
	Live  bool
	Token Token // the highest of the key, live or not; 0 if there was none yet

	Owner     string        // of a live one
	Remaining time.Duration // of a live one: above 0
}

var (
	acquireNames = [...]string{"Granted", "Held", "Late"}
	lossNames    = [...]string{"Superseded", "Expired", "MaxHold", "Late"}
)

func name(names []string, value int) string {
	if value < 1 || value > len(names) {
		return "None"
	}
	return names[value-1]
}
