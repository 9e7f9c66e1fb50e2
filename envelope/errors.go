package envelope

import (
	"errors"
	"strconv"
)

// ErrCorrupt is what [Parse] returns for bytes that are not a sound entry of
// the key they were read under: damaged, truncated, moved, forged, of another
// application, or impossible. Nothing of such bytes is usable, not even to
// compare with.
var ErrCorrupt = errors.New("envelope: corrupt entry")

// VersionError is what [Parse] returns for an authentic entry of another
// version. Version and Digest are all that is known of it.
type VersionError struct {
	// Version is the version byte; never the one this package writes.
	Version uint8
	// Digest is the trailing 32 bytes, verified: a caller may replace the entry
	// on the condition that they are still there.
	Digest [DigestSize]byte
}

// Retired reports whether the version is one that older releases wrote, so that
// nobody will need the entry again.
func (e *VersionError) Retired() bool { return e.Version == 1 }

// Future reports whether the version is one this package does not know, such
// as a newer release's. Whoever wrote the entry may still read it.
func (e *VersionError) Future() bool { return e.Version == 0 || e.Version > Version }

// Error tells the version.
func (e *VersionError) Error() string {
	kind := "unknown"
	if e.Retired() {
		kind = "retired"
	}
	return "envelope: version " + strconv.Itoa(int(e.Version)) + " is " + kind
}

// FieldError is what [Append] returns for an entry that the format cannot
// hold.
type FieldError struct {
	// Field is the name of a field of [Envelope], or "physicalKey".
	Field string
	// Value describes the field: a time, a number or a length, never content.
	Value string
	// Rule is the rule that was broken, as a phrase: "must be ...".
	Rule string
}

// Error reads as a sentence: field, value, rule.
func (e *FieldError) Error() string {
	return "envelope: " + e.Field + " (" + e.Value + ") " + e.Rule
}
