package redisadapter

import (
	"errors"
	"reflect"
	"time"
)

// tagName is the struct tag read, the same that the encoder reads.
const tagName = "msgpack"

// place is where a value of a type stands; the encoder can do less with one that has no address.
type place uint8

const (
	placeAddressable place = iota
	placeMapValue
	placeMapKey
)

// compileShape returns the shape of a type and of everything it is made of, the shape itself first, or all reasons why
// there is none.
func compileShape(t reflect.Type) (*shape, []*shape, error) {
	c := shapeCompiler{done: map[shapeKey]*shape{}}
	root := c.compile(t, placeAddressable, t.String())
	if len(c.faults) > 0 {
		return nil, nil, errors.Join(c.faults...)
	}
	for _, link := range c.pointers {
		size := link.pointer.pointee
		*link.pointer = *link.target
		link.pointer.pointer = true
		link.pointer.pointee = size
		link.pointer.accepts |= 1 << classNil
	}
	for _, sh := range c.all {
		sh.prepareQuick()
	}
	spread(c.all, func(sh *shape) *bool { return &sh.settles })
	markCyclic(c.all)
	return root, c.all, nil
}

type shapeCompiler struct {
	done     map[shapeKey]*shape
	all      []*shape
	pointers []pointerLink
	faults   []error
}

type shapeKey struct {
	t  reflect.Type
	at place
}

// pointerLink is completed at the end, since the target of a pointer may still be in the making.
type pointerLink struct{ pointer, target *shape }

func (c *shapeCompiler) refuse(t reflect.Type, path, rule string) {
	c.faults = append(c.faults, &ShapeError{Path: path, Type: t.String(), Rule: rule})
}

// compile returns the shape of a type; if it has none the fault is kept and the result of no use.
func (c *shapeCompiler) compile(t reflect.Type, at place, path string) *shape {
	key := shapeKey{t, at}
	if sh, ok := c.done[key]; ok {
		return sh
	}
	sh := &shape{}
	c.done[key] = sh
	c.all = append(c.all, sh)
	switch own := ownCodecOf(t); {
	case t.Kind() == reflect.Interface:
		c.refuse(t, path, "an interface type would change on the way back; name a concrete type, or bring a codec")
	case t == reflect.TypeFor[time.Time]():
		if at == placeMapKey {
			c.refuse(t, path, "equal times are not equal map keys; use a number or a string as the key")
		}
		*sh = shape{kind: shapeTime, name: "time", accepts: 1 << classExt, settles: true}
	case own.any():
		if rule := own.refusal(t, at); rule != "" {
			c.refuse(t, path, rule)
		}
		*sh = *ownShape(typeName(t) + " by " + own.write.String())
	default:
		c.compileKind(sh, t, at, path)
	}
	return sh
}

func (c *shapeCompiler) compileKind(sh *shape, t reflect.Type, at place, path string) {
	if simple, ok := leaf(t); ok {
		*sh = *simple
		c.checkLeaf(t, at, path)
		return
	}
	switch t.Kind() {
	case reflect.Pointer:
		c.compilePointer(sh, t, at, path)
	case reflect.Slice:
		*sh = shape{kind: shapeSlice, accepts: 1<<classArray | 1<<classNil}
		sh.perElem = 2 * uint64(t.Elem().Size()) // the decoder makes a slice, then appends it to an empty one
		sh.elem = c.compile(t.Elem(), placeAddressable, path+"[]")
	case reflect.Array:
		*sh = shape{kind: shapeArray, accepts: 1 << classArray, length: t.Len()}
		sh.elem = c.compile(t.Elem(), at, path+"[]")
	case reflect.Map:
		const overhead = 16
		*sh = shape{kind: shapeMap, accepts: 1<<classMap | 1<<classNil, settles: true}
		sh.perElem = 2 * uint64(t.Key().Size()+t.Elem().Size()+overhead)
		sh.key = c.compile(t.Key(), placeMapKey, path+"[key]")
		sh.elem = c.compile(t.Elem(), placeMapValue, path+"[]")
	case reflect.Struct:
		c.compileStruct(sh, t, at, path)
	default:
		c.refuse(t, path, "a "+t.Kind().String()+" cannot be stored")
	}
}

func (c *shapeCompiler) checkLeaf(t reflect.Type, at place, path string) {
	switch {
	case at == placeMapKey && (t.Kind() == reflect.Float32 || t.Kind() == reflect.Float64):
		c.refuse(t, path, "a float is no map key: NaN is not even equal to itself")
	case at != placeAddressable && t.Kind() == reflect.Array && t.Elem() != reflect.TypeFor[uint8]():
		c.refuse(t, path, "the encoder cannot write an array of a named byte type inside a map; use plain bytes, or a pointer")
	}
}

func (c *shapeCompiler) compilePointer(sh *shape, t reflect.Type, at place, path string) {
	target := t.Elem()
	switch kind := target.Kind(); {
	case at == placeMapKey:
		c.refuse(t, path, "a pointer as map key is another key on the way back")
	case kind == reflect.Pointer || kind == reflect.Slice || kind == reflect.Map ||
		kind == reflect.Chan || kind == reflect.Func:
		c.refuse(t, path, "nil and a pointer to nil would read back alike; drop the pointer")
	default:
		link := pointerLink{sh, c.compile(target, placeAddressable, path)}
		sh.pointee = uint64(target.Size())
		c.pointers = append(c.pointers, link)
	}
}

func typeName(t reflect.Type) string {
	if t.PkgPath() == "" {
		return t.String()
	}
	return t.PkgPath() + "." + t.Name()
}

// spread sets a flag on every shape that has a part with the flag, however deep.
func spread(all []*shape, flag func(*shape) *bool) {
	for again := true; again; {
		again = false
		for _, sh := range all {
			sh.children(func(part *shape) {
				if *flag(part) && !*flag(sh) {
					*flag(sh), again = true, true
				}
			})
		}
	}
}

// markCyclic marks every shape that is not a finite tree: those left when leaves are taken off until none is left.
func markCyclic(all []*shape) {
	for _, sh := range all {
		sh.cyclic = true
	}
	for again := true; again; {
		again = false
		for _, sh := range all {
			endless := false
			sh.children(func(part *shape) { endless = endless || part.cyclic })
			if sh.cyclic && !endless {
				sh.cyclic, again = false, true
			}
		}
	}
}
