package redisadapter

import (
	"math"
	"reflect"
	"strconv"
)

// shape is how values of one Go type look on the wire. It is compiled once for a type, never changes afterwards, and
// may refer to itself.
type shape struct {
	kind    shapeKind
	pointer bool   // reached through a pointer: nil is a value of its own
	name    string // of a leaf, for the fingerprint
	accepts uint16 // one bit for each wireClass
	max     uint64 // of numbers >= 0
	min     int64  // of numbers < 0
	length  int    // of an array

	key, elem *shape
	fields    []shapeField
	byName    map[string]int
	required  int // fields that are not omitempty

	quickFields []quickField // of fields, for the scanner
	quickElem   uint16       // of elem, if this is a slice or an array

	pointee uint64 // bytes of memory behind a pointer that is not nil
	perElem uint64 // bytes of memory per element of a slice or entry of a map

	settles bool // holds a time or a map: see settle
	cyclic  bool // values may be nested without end: see descent
}

type shapeKind uint8

const (
	shapeBool shapeKind = iota + 1
	shapeInt
	shapeUint
	shapeFloat
	shapeString
	shapeBytes     // slice of bytes
	shapeByteArray // array of bytes
	shapeTime
	shapeSlice
	shapeArray
	shapeMap
	shapeStruct // a map on the wire
	shapeTuple  // a struct that is an array on the wire
	shapeOwn    // a type with a codec of its own: any one value, and so its parts
)

type shapeField struct {
	name   string
	wire   string // the name as the encoder writes it
	goName string
	index  []int
	omit   bool // may be missing
	shape  *shape
}

const anyClass = 1<<classBroken - 1

// leaf returns a shape without parts for the kinds that have one.
func leaf(t reflect.Type) (*shape, bool) {
	sh := &shape{name: t.Kind().String()}
	switch t.Kind() {
	case reflect.Bool:
		sh.kind, sh.accepts = shapeBool, 1<<classBool
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		sh.kind, sh.accepts = shapeInt, 1<<classUint|1<<classNeg
		sh.max = 1<<(t.Bits()-1) - 1
		sh.min = -1 << (t.Bits() - 1)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		sh.kind, sh.accepts = shapeUint, 1<<classUint
		sh.max = math.MaxUint64 >> (64 - t.Bits())
	case reflect.Float32:
		sh.kind, sh.accepts = shapeFloat, 1<<classFloat32
	case reflect.Float64:
		sh.kind, sh.accepts = shapeFloat, 1<<classFloat64
	case reflect.String:
		sh.kind, sh.accepts = shapeString, 1<<classString
	case reflect.Slice:
		if t.Elem().Kind() != reflect.Uint8 {
			return nil, false
		}
		sh.kind, sh.accepts, sh.name = shapeBytes, 1<<classBytes|1<<classNil, "bytes"
	case reflect.Array:
		if t.Elem().Kind() != reflect.Uint8 {
			return nil, false
		}
		sh.kind, sh.accepts, sh.length = shapeByteArray, 1<<classBytes, t.Len()
		sh.name = "bytes[" + strconv.Itoa(t.Len()) + "]"
	default:
		return nil, false
	}
	return sh, true
}

// ownShape is the shape of a type with a codec of its own: whatever single value that codec writes.
func ownShape(name string) *shape {
	inside := &shape{kind: shapeOwn, accepts: anyClass, max: math.MaxUint64, min: math.MinInt64}
	inside.elem = inside
	sh := *inside
	sh.name = name
	return &sh
}

// children calls do with each part of a shape.
func (sh *shape) children(do func(*shape)) {
	if sh.kind == shapeOwn {
		return
	}
	if sh.key != nil {
		do(sh.key)
	}
	if sh.elem != nil {
		do(sh.elem)
	}
	for i := range sh.fields {
		do(sh.fields[i].shape)
	}
}

// blob reports whether values are one string of bytes, which needs no encoder.
func (sh *shape) blob() bool {
	return !sh.pointer && (sh.kind == shapeString || sh.kind == shapeBytes)
}
