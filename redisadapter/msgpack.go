package redisadapter

import (
	"reflect"
	"slices"
	"sync"
)

// Msgpack returns the codec used where none is named: MessagePack, strict in both directions, safe for concurrent use.
//
// # What is promised
//
// What Append accepts, Decode reads back as an equal value: nil and empty slices and maps stay apart, a nil pointer
// stays nil, zero values of all types stay what they are. A [time.Time] comes back as the same instant in UTC, without
// its monotonic reading; a zero time stays zero. A NaN stays a NaN.
//
// Decode accepts nothing else. Before any value is made it walks the bytes alongside the type, without recursion and
// without believing a length: each declared length fits what is left, at most 64 arrays and maps are open at once, the
// value ends where the payload ends, each number fits its Go type exactly, floats have their own width, arrays their
// own length, and a struct has all of its fields, each once, and no others. So hostile bytes cost no more memory than
// a value may have: 32 MiB or 64 times the payload, whichever is more. On error *value is the zero value.
//
// # What can be stored
//
// Booleans, integers, floats, strings, times, slices, arrays, maps, structs of these, pointers to them, types that
// contain themselves, and types with a codec of their own, where msgpack finds one: CustomEncoder and CustomDecoder,
// Marshaler and Unmarshaler, [encoding.BinaryMarshaler], [encoding.TextMarshaler] and their counterparts. What such a
// type writes is its own affair, as long as it is one well-formed value; one that writes nil is read back as its zero
// value, and behind a pointer as a nil pointer.
//
// Of struct tags the name, "-", omitempty, noinline, inline and as_array are honoured. omitempty is for fields where
// only the zero value is left out: booleans, integers, strings, pointers, times.
//
// Refused, because something would be lost or changed on the way back without a word, are interface types, channels,
// functions, complex numbers, uintptr, fields that are not exported unless tagged "-" (so also a struct that has no
// others), pointers to pointers, slices or maps, embedded pointers unless tagged noinline, map keys that are or hold
// pointers, floats or times, two fields of one name, codecs of a type that lack their counterpart, that decode into a
// copy, or that may come from an embedded field. Each is a [*ShapeError] with the path of the field: the codec has a
// method Check() error that returns them, New calls it, and Append and Decode return them too.
//
// Types registered with the msgpack package itself cannot be seen by the codec; Append refuses what they write.
//
// # Errors
//
// Append fails with a [*CodecError] that matches [ErrUnencodable], Decode with one that matches [ErrPayload]. A panic
// of a type's own codec is such an error too. No error text holds anything of a value.
func Msgpack[V any]() Codec[V] {
	t := reflect.TypeFor[V]()
	c := &msgpackCodec[V]{name: t.String()}
	root, all, err := compileShape(t)
	if err != nil {
		c.refused = err
		return c
	}
	c.root = root
	c.word = fingerprint(root, all)
	c.own = slices.ContainsFunc(all, func(sh *shape) bool { return sh.kind == shapeOwn })
	return c
}

type msgpackCodec[V any] struct {
	name    string
	root    *shape
	own     bool // some part has a codec of its own
	word    uint32
	refused error
	states  sync.Pool // of *codecState[V]
}

// Check returns why V cannot be stored, nil if it can.
func (c *msgpackCodec[V]) Check() error { return c.refused }

// Shape returns the fingerprint of the wire shape of V, 0 if it cannot be stored.
func (c *msgpackCodec[V]) Shape() uint32 { return c.word }

// Append implements [Codec].
func (c *msgpackCodec[V]) Append(dst []byte, value V) ([]byte, error) {
	if c.refused != nil {
		return dst, c.refused
	}
	s := c.state()
	if err := c.encode(s, dst, value); err != nil {
		return dst, err
	}
	out := s.out.b
	c.keep(s, len(out)-len(dst))
	return out, nil
}

// Decode implements [Codec].
func (c *msgpackCodec[V]) Decode(payload []byte, value *V) error {
	if c.refused != nil {
		return c.refused
	}
	var none V
	*value = none
	s := c.state()
	if err := c.decode(s, payload, value); err != nil {
		*value = none
		return err
	}
	c.keep(s, len(payload))
	return nil
}

// state takes a state from the pool. One that met an error or a panic never returns there: it may be in any condition.
func (c *msgpackCodec[V]) state() *codecState[V] {
	if s, ok := c.states.Get().(*codecState[V]); ok {
		return s
	}
	return newCodecState[V]()
}

func (c *msgpackCodec[V]) keep(s *codecState[V], payload int) {
	if payload <= keptState {
		s.release()
		c.states.Put(s)
	}
}
