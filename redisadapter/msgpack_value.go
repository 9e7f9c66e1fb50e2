package redisadapter

import (
	"reflect"
	"time"
)

// descent measures how deep a value is nested before it is encoded. The encoder recurses into it, so a value that
// contains itself would otherwise end the process.
type descent struct{ parts int }

// maxParts bounds the walk through a value whose parts are shared so often that walking it takes for ever; each part
// is at least one byte, and no payload is longer.
const maxParts = 16 << 20

// walk visits the parts of v that may contain themselves; depth is the number of open arrays and maps around it.
func (d *descent) walk(v reflect.Value, sh *shape, depth int) scanFault {
	if !sh.cyclic {
		return 0
	}
	if sh.pointer {
		if v.IsNil() {
			return 0
		}
		v = v.Elem()
	}
	if (sh.kind == shapeSlice || sh.kind == shapeMap) && v.IsNil() {
		return 0
	}
	if depth == maxDepth {
		return faultDepth
	}
	if d.parts++; d.parts > maxParts {
		return faultSize
	}
	return eachPart(v, sh, func(part reflect.Value, partShape *shape) scanFault {
		return d.walk(part, partShape, depth+1)
	})
}

// eachPart calls do with the elements or fields of a value, map keys left out, until one call finds a fault.
func eachPart(v reflect.Value, sh *shape, do func(reflect.Value, *shape) scanFault) scanFault {
	switch sh.kind {
	case shapeSlice, shapeArray:
		for i := range v.Len() {
			if fault := do(v.Index(i), sh.elem); fault != 0 {
				return fault
			}
		}
	case shapeMap:
		for entries := v.MapRange(); entries.Next(); {
			if fault := do(entries.Value(), sh.elem); fault != 0 {
				return fault
			}
		}
	case shapeStruct, shapeTuple:
		for i := range sh.fields {
			if fault := do(v.FieldByIndex(sh.fields[i].index), sh.fields[i].shape); fault != 0 {
				return fault
			}
		}
	default: // no parts
	}
	return 0
}

// settle goes through a decoded value once more, for the two things that the decoder leaves open: it puts times into
// UTC (they come out in the zone of the machine), and it returns how many entries the maps hold (a key that occurs
// twice on the wire leaves fewer than were read). Only shapes that hold times or maps need it.
func settle(v reflect.Value, sh *shape) int {
	if !sh.settles {
		return 0
	}
	if sh.pointer {
		if v.IsNil() {
			return 0
		}
		v = v.Elem()
	}
	if sh.kind == shapeTime {
		if at, ok := v.Addr().Interface().(*time.Time); ok {
			*at = at.UTC()
		}
		return 0
	}
	if sh.kind == shapeMap {
		return settleMap(v, sh)
	}
	entries := 0
	eachPart(v, sh, func(part reflect.Value, partShape *shape) scanFault {
		entries += settle(part, partShape)
		return 0
	})
	return entries
}

// settleMap settles the values of a map; those of a map have no address, so each goes through a copy.
func settleMap(v reflect.Value, sh *shape) int {
	entries := v.Len()
	if !sh.elem.settles {
		return entries
	}
	part := reflect.New(v.Type().Elem()).Elem()
	for each := v.MapRange(); each.Next(); {
		part.Set(each.Value())
		entries += settle(part, sh.elem)
		v.SetMapIndex(each.Key(), part)
	}
	return entries
}
