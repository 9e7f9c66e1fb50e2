package redisadapter

import "errors"

var (
	// ErrBreakerOpen is in the chain of the [StoreError] of a call that the open [Breaker] answered: nothing was sent.
	ErrBreakerOpen = errors.New("redisadapter: breaker open")

	// errExpired stops the serializing of a command whose entry has no life left.
	errExpired = errors.New("redisadapter: nothing left of the entry's life")

	errNoDigest   = errors.New("redisadapter: script refused the observation")
	errOddReply   = errors.New("redisadapter: reply of an unexpected kind")
	errCodecPanic = errors.New("redisadapter: codec panicked")

	errStillStranger = errors.New("redisadapter: a server that was admitted did not grant")
)

// StoreError says that the server could not be asked, or did not do what it was asked. Its text is the operation and the class of the fault; the
// client's own error, which may hold an address or a server's text, is in its chain, and so is the context's error where that is why.
type StoreError struct {
	// Op is "lookup", "record", "invalidate", "generation", "acquire", "fill", "release" or "put" of a cache, "acquire", "renew", "release" or
	// "inspect" of leases.
	Op string
	// Fault is the class.
	Fault Fault

	causes []error
}

func newStoreError(op string, fault Fault, causes ...error) *StoreError {
	return &StoreError{Op: op, Fault: fault, causes: causes}
}

// Error names the operation and the class.
func (e *StoreError) Error() string {
	text := faultTable[FaultUnknown].text
	if int(e.Fault) < len(faultTable) {
		text = faultTable[e.Fault].text
	}
	return "redisadapter: " + e.Op + ": " + text
}

// Unwrap gives the client's error and the context's.
func (e *StoreError) Unwrap() []error { return e.causes }

// EncodeError says that a value could not be stored: its codec or the format refused it. Its text never holds the cause's text, which may quote the
// value; the cause is in its chain.
type EncodeError struct{ Cause error }

// Error tells no more than that.
func (e *EncodeError) Error() string { return "redisadapter: value could not be encoded" }

// Unwrap gives the cause.
func (e *EncodeError) Unwrap() error { return e.Cause }
