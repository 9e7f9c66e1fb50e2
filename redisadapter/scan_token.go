package redisadapter

import (
	"encoding/binary"
	"math"
)

// wireClass is what one MessagePack token is, whatever width it was written in.
type wireClass uint8

const (
	classNil wireClass = iota
	classBool
	classUint // a number >= 0
	classNeg  // a number < 0
	classFloat32
	classFloat64
	classString
	classBytes
	classArray
	classMap
	classExt
	classBroken // truncated, or the one reserved code
)

// The first codes of each family of the MessagePack specification.
const (
	codeFixMap    = 0x80
	codeFixArray  = 0x90
	codeFixString = 0xa0
	codeNil       = 0xc0
	codeFalse     = 0xc2
	codeTrue      = 0xc3
	codeBytes     = 0xc4 // and 0xc5, 0xc6: lengths of 1, 2 and 4 bytes
	codeExt       = 0xc7 // the same
	codeFloat32   = 0xca
	codeFloat64   = 0xcb
	codeUint      = 0xcc // 1, 2, 4 and 8 bytes
	codeInt       = 0xd0 // the same
	codeFixExt    = 0xd4 // bodies of 1, 2, 4, 8 and 16 bytes
	codeString    = 0xd9 // lengths of 1, 2 and 4 bytes
	codeArray     = 0xdc // counts of 2 and 4 bytes
	codeMap       = 0xde // the same
	codeFixNeg    = 0xe0
)

// token consumes one token: a scalar with its body, or the head of an array or a map. The second result is the number
// itself (two's complement if negative), the length of the body (type byte of an extension included), or the count of
// elements. Every length is checked against the bytes left before anything is skipped.
func (s *scanner) token() (wireClass, uint64) {
	if s.pos >= len(s.p) {
		return classBroken, 0
	}
	c := s.p[s.pos]
	s.pos++
	switch {
	case c < codeFixMap:
		return classUint, uint64(c)
	case c < codeFixArray:
		return classMap, uint64(c & 0x0f)
	case c < codeFixString:
		return classArray, uint64(c & 0x0f)
	case c < codeNil:
		return s.body(classString, uint64(c&0x1f))
	case c >= codeFixNeg:
		return classNeg, uint64(int64(int8(c)))
	default:
		return s.longToken(c)
	}
}

// longToken consumes what follows a code of 0xc0 to 0xdf.
func (s *scanner) longToken(c byte) (wireClass, uint64) {
	switch {
	case c == codeNil:
		return classNil, 0
	case c == codeFalse || c == codeTrue:
		return classBool, 0
	case c >= codeMap:
		return s.number(classMap, 2<<(c-codeMap))
	case c >= codeArray:
		return s.number(classArray, 2<<(c-codeArray))
	case c >= codeString:
		return s.sized(classString, 1<<(c-codeString), 0)
	case c >= codeFixExt:
		return s.body(classExt, 1<<(c-codeFixExt)+1)
	case c >= codeInt:
		return s.signed(1 << (c - codeInt))
	case c >= codeUint:
		return s.number(classUint, 1<<(c-codeUint))
	case c == codeFloat64:
		return s.number(classFloat64, 8)
	case c == codeFloat32:
		return s.number(classFloat32, 4)
	case c >= codeExt:
		return s.sized(classExt, 1<<(c-codeExt), 1)
	case c >= codeBytes:
		return s.sized(classBytes, 1<<(c-codeBytes), 0)
	default:
		return classBroken, 0
	}
}

// number consumes a big-endian number of 1, 2, 4 or 8 bytes.
func (s *scanner) number(class wireClass, width int) (wireClass, uint64) {
	if len(s.p)-s.pos < width {
		return classBroken, 0
	}
	at := s.p[s.pos:]
	s.pos += width
	switch width {
	case 1:
		return class, uint64(at[0])
	case 2:
		return class, uint64(binary.BigEndian.Uint16(at))
	case 4:
		return class, uint64(binary.BigEndian.Uint32(at))
	default:
		return class, binary.BigEndian.Uint64(at)
	}
}

// signed consumes a signed number; one that is not negative counts as unsigned, so that there is one form of each.
func (s *scanner) signed(width int) (wireClass, uint64) {
	class, n := s.number(classUint, width)
	if class == classBroken {
		return class, 0
	}
	unused := 64 - 8*width
	value := int64(n<<unused) >> unused
	if value < 0 {
		return classNeg, uint64(value)
	}
	return class, uint64(value)
}

// sized consumes a length of the given width and then that many bytes, and extra ones.
func (s *scanner) sized(class wireClass, width int, extra uint64) (wireClass, uint64) {
	head, n := s.number(class, width)
	if head == classBroken {
		return head, 0
	}
	return s.body(class, n+extra)
}

func (s *scanner) body(class wireClass, n uint64) (wireClass, uint64) {
	if n > uint64(len(s.p)-s.pos) {
		return classBroken, 0
	}
	s.pos += int(n)
	return class, n
}

// timestamp reports whether the extension just consumed, n bytes with its type byte, is a timestamp in one of the
// three forms of the specification, with nanoseconds below a second.
func (s *scanner) timestamp(n uint64) bool {
	ext := s.p[s.pos-int(n) : s.pos]
	if ext[0] != math.MaxUint8 { // type -1
		return false
	}
	const limit = 1_000_000_000
	switch len(ext) {
	case 1 + 4:
		return true
	case 1 + 8:
		return binary.BigEndian.Uint64(ext[1:])>>34 < limit
	case 1 + 12:
		return binary.BigEndian.Uint32(ext[1:]) < limit
	default:
		return false
	}
}
