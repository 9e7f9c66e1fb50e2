package redisadapter

import "strings"

const (
	// maxDepth is how many arrays and maps may be open at once.
	maxDepth = 64

	// A payload may stand for this much memory, or for this many times its own size, whichever is more. Slices of
	// large elements that are short on the wire (all fields omitted, types with a codec of their own) would otherwise
	// turn a megabyte into gigabytes.
	memoryFloor  = 32 << 20
	memoryFactor = 64
)

// scanFault is what a scan found; zero is nothing.
type scanFault uint8

const (
	faultShort scanFault = iota + 1
	faultKind
	faultRange
	faultLength
	faultDepth
	faultField
	faultTwice
	faultMissing
	faultTime
	faultTrailing
	faultMemory
	faultKeys
	faultSize
)

func (f scanFault) String() string {
	switch f {
	case faultShort:
		return "the bytes end early, or no such code exists"
	case faultKind:
		return "a value of another kind"
	case faultRange:
		return "the number does not fit"
	case faultLength:
		return "the length does not fit"
	case faultDepth:
		return "nested deeper than 64"
	case faultField:
		return "no such field"
	case faultTwice:
		return "a field occurs twice"
	case faultMissing:
		return "a field is missing"
	case faultTime:
		return "not a timestamp"
	case faultTrailing:
		return "bytes follow the value"
	case faultMemory:
		return "the value takes more than 32 MiB and more than 64 times its bytes in memory"
	case faultKeys:
		return "a map key occurs twice"
	case faultSize:
		return "more parts than the largest payload has bytes"
	}
	return "no fault"
}

// scanner walks payload bytes alongside a shape and touches nothing else: it neither allocates by what the bytes
// declare nor recurses. Bytes it accepts hold every declared element, so a decoder may trust their lengths, and each
// number fits the Go type it will be stored in.
type scanner struct {
	p      []byte
	pos    int
	depth  int
	pairs  int    // entries of Go maps, to be compared with what the maps hold after decoding
	memory uint64 // that decoding will ask for, an upper estimate
	seen   []uint64
	frames [maxDepth]scanFrame
}

// scanFrame is one open array or map.
type scanFrame struct {
	shape *shape
	left  int // values to come, keys of Go maps counted, names of struct fields not
	field int // struct: the field being read; the next one is expected in order
	found int // struct: required fields read so far
	bits  int // struct: where its words in seen begin, -1 while its fields come in order
}

// scan returns the first fault of p as a value of the given shape; after one, pos is where it is.
func (s *scanner) scan(p []byte, root *shape) scanFault {
	s.p, s.pos, s.depth, s.pairs, s.memory, s.seen = p, 0, 0, 0, 0, s.seen[:0]
	for sh := root; sh != nil; {
		fault := s.value(sh)
		if fault == 0 {
			sh, fault = s.next()
		}
		if fault != 0 {
			return fault
		}
	}
	if s.pos != len(p) {
		return faultTrailing
	}
	if s.memory > max(memoryFloor, memoryFactor*uint64(len(p))) {
		return faultMemory
	}
	return 0
}

// value consumes one token and checks it against the shape.
func (s *scanner) value(sh *shape) scanFault {
	class, n := s.token()
	if sh.accepts&(1<<class) == 0 {
		if class == classBroken {
			return faultShort
		}
		return faultKind
	}
	if class == classNil {
		return 0
	}
	s.memory += sh.pointee
	switch class {
	case classUint:
		if n > sh.max {
			return faultRange
		}
	case classNeg:
		if int64(n) < sh.min {
			return faultRange
		}
	case classBytes:
		if sh.kind == shapeByteArray && n != uint64(sh.length) {
			return faultLength
		}
	case classExt:
		if sh.kind == shapeTime && !s.timestamp(n) {
			return faultTime
		}
	case classArray, classMap:
		return s.open(sh, class, n)
	default: // the class says all
	}
	return 0
}

// open begins an array or a map of n elements.
func (s *scanner) open(sh *shape, class wireClass, n uint64) scanFault {
	least := n // bytes
	if class == classMap {
		least = 2 * n
	}
	if least > uint64(len(s.p)-s.pos) {
		return faultLength
	}
	if s.depth == maxDepth {
		return faultDepth
	}
	left := int(n)
	switch sh.kind {
	case shapeStruct:
		if left > len(sh.fields) {
			return faultField
		}
	case shapeTuple:
		if left != len(sh.fields) {
			return faultLength
		}
	case shapeArray:
		if left != sh.length {
			return faultLength
		}
	case shapeMap:
		s.pairs += left
		left *= 2
	case shapeOwn:
		left = int(least)
	default: // a slice has any length, and nothing else accepts these classes
	}
	s.memory += n * sh.perElem
	s.frames[s.depth] = scanFrame{shape: sh, left: left, field: -1, bits: -1}
	s.depth++
	return 0
}

// next closes what is complete and returns the shape of the value that must follow, nil after the last one.
func (s *scanner) next() (*shape, scanFault) {
	for s.depth > 0 {
		f := &s.frames[s.depth-1]
		s.takeQuick(f)
		if f.left > 0 {
			f.left--
			return s.element(f)
		}
		if f.found != f.shape.required {
			return nil, faultMissing
		}
		if f.bits >= 0 {
			s.seen = s.seen[:f.bits]
		}
		s.depth--
	}
	return nil, 0
}

// takeQuick goes ahead as far as the easy part of a frame reaches.
func (s *scanner) takeQuick(f *scanFrame) {
	switch {
	case f.shape.kind == shapeStruct && f.bits < 0:
		s.quickFields(f)
	case f.shape.quickElem != 0:
		s.quickElements(f, f.shape.quickElem)
	}
}

func (s *scanner) element(f *scanFrame) (*shape, scanFault) {
	switch f.shape.kind {
	case shapeStruct:
		return s.named(f)
	case shapeTuple:
		f.field++
		return f.shape.fields[f.field].shape, 0
	case shapeMap:
		if f.left&1 == 1 {
			return f.shape.key, 0
		}
		return f.shape.elem, 0
	default:
		return f.shape.elem, 0
	}
}

// named consumes the name of a struct field. The encoder writes fields in the order of the struct, so the name is
// compared with the expected one first and looked up only if it is another.
func (s *scanner) named(f *scanFrame) (*shape, scanFault) {
	fields := f.shape.fields
	at := f.field + 1
	if at < len(fields) && hasPrefix(s.p[s.pos:], fields[at].wire) {
		s.pos += len(fields[at].wire)
	} else {
		class, n := s.token()
		if class == classBroken {
			return nil, faultShort
		}
		if class != classString {
			return nil, faultKind
		}
		var known bool
		if at, known = f.shape.byName[string(s.p[s.pos-int(n):s.pos])]; !known {
			return nil, faultField
		}
		s.keepBits(f)
	}
	f.field = at
	if f.bits >= 0 && s.mark(f, at) {
		return nil, faultTwice
	}
	if !fields[at].omit {
		f.found++
	}
	return fields[at].shape, 0
}

func hasPrefix(p []byte, prefix string) bool {
	return len(p) >= len(prefix) && string(p[:len(prefix)]) == prefix
}

// keepBits starts to remember each field of a frame, once they no longer come in order.
func (s *scanner) keepBits(f *scanFrame) {
	if f.bits >= 0 {
		return
	}
	f.bits = len(s.seen)
	for range (len(f.shape.fields) + 63) / 64 {
		s.seen = append(s.seen, 0)
	}
	for i := range f.field + 1 {
		s.mark(f, i)
	}
}

// mark remembers field i of a frame and reports whether it was there already.
func (s *scanner) mark(f *scanFrame, i int) bool {
	word, bit := &s.seen[f.bits+i/64], uint64(1)<<(i%64)
	twice := *word&bit != 0
	*word |= bit
	return twice
}

// path names the place of a fault below the given root: fields by their Go names, elements as [].
func (s *scanner) path(root string) string {
	var b strings.Builder
	b.WriteString(root)
	for i := range s.depth {
		f := &s.frames[i]
		switch {
		case f.shape.kind != shapeStruct && f.shape.kind != shapeTuple:
			b.WriteString("[]")
		case f.field >= 0:
			b.WriteString(".")
			b.WriteString(f.shape.fields[f.field].goName)
		}
	}
	return b.String()
}
