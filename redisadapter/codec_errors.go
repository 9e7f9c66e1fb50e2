package redisadapter

import (
	"errors"
	"strconv"
	"strings"
)

// Errors of the codec, to be tested with [errors.Is].
var (
	// ErrPayload is matched by every error that Decode of [Msgpack] gives for bytes it does not accept.
	ErrPayload = errors.New("redisadapter: payload refused")

	// ErrUnencodable is matched by every error that Append of [Msgpack] gives for a value it cannot store. The value
	// itself is as good as before; it only stays out of the cache.
	ErrUnencodable = errors.New("redisadapter: value cannot be encoded")
)

// ShapeError says that a type cannot be stored without loss, and why. Check, Append and Decode of [Msgpack] return it,
// several of them joined if several fields are at fault.
type ShapeError struct {
	// Path leads from the type of the values to the fault: "shop.Order.Lines[].Price".
	Path string
	// Type is the Go type found there.
	Type string
	// Rule is the rule it breaks, and what to do instead.
	Rule string
}

// Error names the path, the type and the rule.
func (e *ShapeError) Error() string {
	return "redisadapter: " + e.Path + " (" + e.Type + "): " + e.Rule
}

// CodecError says why a value or a payload was refused. Its text names types, fields, offsets and rules, never
// anything of the value.
type CodecError struct {
	// Op is "append" or "decode".
	Op string
	// Path leads from the type of the values to the place of the fault, as far as it is known.
	Path string
	// Offset is the number of payload bytes accepted before the fault, or -1 if the fault is not a matter of bytes.
	Offset int
	// Rule is the rule broken.
	Rule string

	sentinel error
	cause    error
}

// Error names operation, path, offset and rule. The text of a cause is left out: it may quote the value.
func (e *CodecError) Error() string {
	var b strings.Builder
	b.WriteString("redisadapter: ")
	b.WriteString(e.Op)
	b.WriteString(" ")
	b.WriteString(e.Path)
	if e.Offset >= 0 {
		b.WriteString(" at byte ")
		b.WriteString(strconv.Itoa(e.Offset))
	}
	b.WriteString(": ")
	b.WriteString(e.Rule)
	return b.String()
}

// Unwrap gives [ErrPayload] or [ErrUnencodable], and the error of the type's own codec if that was the cause.
func (e *CodecError) Unwrap() []error {
	if e.cause == nil {
		return []error{e.sentinel}
	}
	return []error{e.sentinel, e.cause}
}
