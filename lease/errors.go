package lease

import "errors"

var (
	// ErrNoDecision is what every *[Error] is that says that nothing was decided and nothing changed.
	ErrNoDecision = errors.New("lease: no decision was made")

	// ErrIndeterminate is what every *[Error] is that says that nobody knows whether there was a decision. It may yet come.
	ErrIndeterminate = errors.New("lease: it is unknown whether a decision was made")
)

// Error says that a store did not answer. It holds no key, secret or address of its own; Cause is the store's error.
type Error struct {
	Op            Op
	Indeterminate bool // else nothing was decided
	Cause         error
}

// Op names an operation in errors.
type Op string

// The operations.
const (
	OpAcquire Op = "acquire"
	OpRenew   Op = "renew"
	OpRelease Op = "release"
	OpInspect Op = "inspect"
)

// NoDecision is for stores: nothing was decided.
func NoDecision(op Op, cause error) *Error { return &Error{Op: op, Cause: cause} }

// Indeterminate is for stores: it is unknown what was decided.
func Indeterminate(op Op, cause error) *Error {
	return &Error{Op: op, Indeterminate: true, Cause: cause}
}

// Error names the operation, what is certain, and the cause.
func (e *Error) Error() string {
	text := "lease: " + string(e.Op) + ": "
	if e.Indeterminate {
		text += "it is unknown whether a decision was made"
	} else {
		text += "no decision was made"
	}
	if e.Cause == nil {
		return text
	}
	return text + ": " + e.Cause.Error()
}

// Is makes it one of [ErrNoDecision] and [ErrIndeterminate].
func (e *Error) Is(target error) bool {
	return target == ErrNoDecision && !e.Indeterminate || target == ErrIndeterminate && e.Indeterminate
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Cause }

// ArgumentError says which argument of a call, or which field of a configuration, cannot be. It never holds a key or an odd owner in full.
type ArgumentError struct{ Field, Value, Rule string }

// Error names field, value and rule.
func (e *ArgumentError) Error() string {
	return "lease: " + e.Field + " is " + e.Value + ", " + e.Rule
}
