package redisadapter

import (
	"fmt"
	"reflect"
	"slices"
)

// encode writes the value behind dst into the sink, then reads it as Decode will, so that nothing unreadable is stored.
func (c *msgpackCodec[V]) encode(s *codecState[V], dst []byte, value V) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = c.panicked(opAppend, r)
		}
	}()
	s.value = value
	if c.root.blob() {
		out, ok := appendBlob(dst, &s.value)
		if !ok {
			return c.failed(opAppend, -1, faultLength.String(), nil)
		}
		s.out.b = out
		return nil
	}
	held := s.held
	if c.own { // a method may keep the pointer it is called on, so the value must not be one that is used again
		held = reflect.New(held.Type()).Elem()
		held.Set(s.held)
	}
	var d descent
	if fault := d.walk(held, c.root, 0); fault != 0 {
		return c.failed(opAppend, -1, fault.String(), nil)
	}
	s.out.b = slices.Grow(dst, s.hint)
	s.enc.Reset(&s.out)
	s.enc.UseCompactInts(true)
	if failure := s.enc.EncodeValue(held); failure != nil {
		return c.failed(opAppend, -1, "the encoder of a type failed", failure)
	}
	payload := s.out.b[len(dst):]
	s.hint = min(len(payload), keptState)
	if fault := s.scanner.scan(payload, c.root); fault != 0 {
		return c.faulty(opAppend, s, fault)
	}
	return nil
}

// decode fills the value, which is zero, from bytes that the scanner has found to be good.
func (c *msgpackCodec[V]) decode(s *codecState[V], payload []byte, value *V) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = c.panicked(opDecode, r)
		}
	}()
	if fault := s.scanner.scan(payload, c.root); fault != 0 {
		return c.faulty(opDecode, s, fault)
	}
	if c.root.blob() {
		setBlob(value, payload, &s.scanner)
		return nil
	}
	s.in.Reset(payload)
	s.dec.Reset(&s.in)
	s.dec.DisallowUnknownFields(true)
	s.dec.DisableAllocLimit(true) // every length has been found true
	failure := s.dec.Decode(value)
	offset := len(payload) - s.in.Len()
	switch {
	case failure != nil:
		return c.failed(opDecode, offset, "the decoder of a type failed", failure)
	case s.in.Len() != 0:
		return c.failed(opDecode, offset, "the decoder of a type has left bytes of its value", nil)
	case c.root.settles && settle(reflect.ValueOf(value).Elem(), c.root) != s.scanner.pairs:
		return c.failed(opDecode, -1, faultKeys.String(), nil)
	}
	return nil
}

const (
	opAppend = "append"
	opDecode = "decode"
)

func (c *msgpackCodec[V]) failed(op string, offset int, rule string, cause error) *CodecError {
	e := &CodecError{Op: op, Path: c.name, Offset: offset, Rule: rule, sentinel: ErrPayload, cause: cause}
	if op == opAppend {
		e.sentinel = ErrUnencodable
	}
	return e
}

// faulty reports what the scanner has found, with the place.
func (c *msgpackCodec[V]) faulty(op string, s *codecState[V], fault scanFault) *CodecError {
	e := c.failed(op, s.scanner.pos, fault.String(), nil)
	e.Path = s.scanner.path(c.name)
	return e
}

// panicked reports a panic by its type alone: its text may quote the value.
func (c *msgpackCodec[V]) panicked(op string, r any) *CodecError {
	return c.failed(op, -1, fmt.Sprintf("a method of a type panicked with a %T", r), nil)
}
