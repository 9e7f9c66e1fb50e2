package redisadapter

import (
	"encoding/binary"
	"math"
)

// Most of what a payload holds are fields in the expected order with short strings, small numbers and floats, whose
// first byte says all: which class, how many bytes, and that any type accepting the class can hold it. The loops below
// take those at a few nanoseconds each and stop in front of everything else, faults included, which is left to the
// general way. They only ever make it faster.

// Two more classes, of these loops only: numbers written in up to 32 bits, which wide enough types hold without a look.
const (
	classUint32 = classBroken + 1 + iota
	classInt32
)

// codeClass gives the class of each first byte, codeSize the bytes it takes in all, 0 if more has to be looked at.
const (
	codeClass = fixUint + fixUint + fixUint + fixUint + fixUint + fixUint + fixUint + fixUint + none16 + none16 +
		fixText + fixText +
		"\x00\x0b\x01\x01\x0b\x0b\x0b\x0b\x0b\x0b\x04\x05\x0c\x0c\x0c\x0b" +
		"\x0d\x0d\x0d\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b" + fixNeg + fixNeg
	codeSize = ones16 + ones16 + ones16 + ones16 + ones16 + ones16 + ones16 + ones16 + zero16 + zero16 +
		"\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10" +
		"\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f\x20" +
		"\x01\x00\x01\x01\x00\x00\x00\x00\x00\x00\x05\x09\x02\x03\x05\x00" +
		"\x02\x03\x05\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" + ones16 + ones16

	fixUint = "\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02"
	fixNeg  = "\x03\x03\x03\x03\x03\x03\x03\x03\x03\x03\x03\x03\x03\x03\x03\x03"
	fixText = "\x06\x06\x06\x06\x06\x06\x06\x06\x06\x06\x06\x06\x06\x06\x06\x06"
	none16  = "\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b"
	ones16  = "\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01"
	zero16  = "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
)

// quickField is what the loop over fields needs of one: its name on the wire, the first eight bytes of it as a number
// to be compared under a mask, and the classes that its type accepts without a further look.
type quickField struct {
	head, mask uint64
	wire       string
	quick      uint16
	required   int
}

func newQuickField(f shapeField) quickField {
	q := quickField{wire: f.wire, quick: f.shape.quick()}
	if !f.omit {
		q.required = 1
	}
	var head, mask [8]byte
	for i := range min(len(f.wire), 8) {
		head[i], mask[i] = f.wire[i], 0xff
	}
	q.head, q.mask = binary.LittleEndian.Uint64(head[:]), binary.LittleEndian.Uint64(mask[:])
	return q
}

// quick gives the accepted classes whose tokens need no look beyond the first byte.
func (sh *shape) quick() uint16 {
	if sh.pointer {
		return 1 << classNil // what is behind the pointer must be added up
	}
	quick := sh.accepts &^ (1<<classBytes | 1<<classArray | 1<<classMap | 1<<classExt)
	if sh.max >= math.MaxUint32 {
		quick |= 1 << classUint32
	}
	if sh.max >= math.MaxInt32 && sh.min <= math.MinInt32 {
		quick |= 1 << classInt32
	}
	return quick
}

// prepareQuick fills in what the loops need, once all parts of the shape are known.
func (sh *shape) prepareQuick() {
	switch sh.kind {
	case shapeStruct:
		for _, f := range sh.fields {
			sh.quickFields = append(sh.quickFields, newQuickField(f))
		}
	case shapeSlice, shapeArray:
		sh.quickElem = sh.elem.quick()
	default: // the rest is mixed, or has no parts
	}
}

// quickFields takes fields of a struct as long as they come in order.
func (s *scanner) quickFields(f *scanFrame) {
	p, pos, fields := s.p, s.pos, f.shape.quickFields[f.field+1:]
	taken, required := 0, 0
	for taken < f.left && taken < len(fields) {
		field := &fields[taken]
		value := pos + len(field.wire)
		if pos+8 > len(p) || value >= len(p) || binary.LittleEndian.Uint64(p[pos:])&field.mask != field.head {
			break
		}
		if len(field.wire) > 8 && string(p[pos:value]) != field.wire {
			break
		}
		c := p[value]
		end := value + int(codeSize[c])
		if end == value || end > len(p) || field.quick>>codeClass[c]&1 == 0 {
			break
		}
		pos = end
		required += field.required
		taken++
	}
	s.pos = pos
	f.left -= taken
	f.field += taken
	f.found += required
}

// quickElements takes elements of a slice or an array.
func (s *scanner) quickElements(f *scanFrame, quick uint16) {
	p, pos, left := s.p, s.pos, f.left
	for left > 0 && pos < len(p) {
		c := p[pos]
		end := pos + int(codeSize[c])
		if end == pos || end > len(p) || quick>>codeClass[c]&1 == 0 {
			break
		}
		pos = end
		left--
	}
	s.pos, f.left = pos, left
}
