package redisadapter

import (
	"encoding"
	"reflect"

	"github.com/vmihailenco/msgpack/v5"
)

// codecKind is the way in which a type encodes or decodes itself, in the order in which the encoder prefers them.
type codecKind uint8

const (
	codecNone codecKind = iota
	codecCustom
	codecMarshal
	codecBinary
	codecText
)

// String is the word used in fingerprints: do not change it.
func (k codecKind) String() string {
	switch k {
	case codecNone:
		return "none"
	case codecCustom:
		return "custom"
	case codecMarshal:
		return "msgpack"
	case codecBinary:
		return "binary"
	case codecText:
		return "text"
	}
	return "unknown"
}

// methods names the two methods of a kind.
func (k codecKind) methods() (write, read string) {
	switch k {
	case codecNone:
	case codecCustom:
		return "EncodeMsgpack", "DecodeMsgpack"
	case codecMarshal:
		return "MarshalMsgpack", "UnmarshalMsgpack"
	case codecBinary:
		return "MarshalBinary", "UnmarshalBinary"
	case codecText:
		return "MarshalText", "UnmarshalText"
	}
	return "", ""
}

// interfaces gives the interfaces that these methods satisfy.
func (k codecKind) interfaces() (write, read reflect.Type) {
	switch k {
	case codecNone:
	case codecCustom:
		return reflect.TypeFor[msgpack.CustomEncoder](), reflect.TypeFor[msgpack.CustomDecoder]()
	case codecMarshal:
		return reflect.TypeFor[msgpack.Marshaler](), reflect.TypeFor[msgpack.Unmarshaler]()
	case codecBinary:
		return reflect.TypeFor[encoding.BinaryMarshaler](), reflect.TypeFor[encoding.BinaryUnmarshaler]()
	case codecText:
		return reflect.TypeFor[encoding.TextMarshaler](), reflect.TypeFor[encoding.TextUnmarshaler]()
	}
	return nil, nil
}

// kindsOf says how the method set of a type encodes and decodes it.
func kindsOf(t reflect.Type) (write, read codecKind) {
	for kind := codecText; kind > codecNone; kind-- {
		writer, reader := kind.interfaces()
		if t.Implements(writer) {
			write = kind
		}
		if t.Implements(reader) {
			read = kind
		}
	}
	return write, read
}

// ownCodec is what a type brings along. The encoder looks at the methods of T first and at those of *T, which include
// them, only if it finds none; for a pointer it may look at those of *T at once.
type ownCodec struct {
	write, read   codecKind // what the encoder and the decoder use for T
	pointerWrite  codecKind // what the encoder may use for *T
	writesByValue bool
	readsByValue  bool
}

func ownCodecOf(t reflect.Type) ownCodec {
	if t.Kind() == reflect.Interface || t.Kind() == reflect.Pointer {
		return ownCodec{}
	}
	var own ownCodec
	own.write, own.read = kindsOf(t)
	pointerWrite, pointerRead := kindsOf(reflect.PointerTo(t))
	own.pointerWrite = pointerWrite
	own.writesByValue, own.readsByValue = own.write != codecNone, own.read != codecNone
	if !own.writesByValue {
		own.write = pointerWrite
	}
	if !own.readsByValue {
		own.read = pointerRead
	}
	return own
}

func (o ownCodec) any() bool { return o.write != codecNone || o.read != codecNone }

// refusal is the rule that a type with a codec of its own breaks at its place, "" for none.
func (o ownCodec) refusal(t reflect.Type, at place) string {
	write, _ := o.write.methods()
	_, read := o.read.methods()
	switch {
	case o.write == codecNone:
		return "the type has " + read + " without its counterpart; add that, or wrap the type"
	case o.read == codecNone:
		return "the type has " + write + " without its counterpart; add that, or wrap the type"
	case o.write != o.read || o.write != o.pointerWrite:
		return "the type has several codecs, and values and pointers or writing and reading would use different ones"
	case at != placeAddressable && !o.writesByValue:
		return write + " needs a value receiver to be used inside a map; or use a map of pointers"
	case t.Kind() == reflect.Struct && promoted(t, o.write):
		return "its " + write + " or " + read + " may be that of an embedded field and drop the others; give the field a name"
	case o.readsByValue: // an embedded pointer or interface, which is nil when decoding begins, looks like this too
		return read + " needs a pointer receiver, since it would fill a copy"
	}
	return ""
}

// promoted reports whether a struct may owe a method of the kind to an embedded field. Reflection cannot tell such a
// method from one that the struct defines to hide it, so both count, unless the embedded value is all there is. A tag
// does not keep a method from being promoted.
func promoted(t reflect.Type, kind codecKind) bool {
	suspects, others := 0, 0
	for i := range t.NumField() {
		f := t.Field(i)
		tag, _ := parseFieldTag(f.Tag.Get(tagName))
		switch {
		case f.Anonymous && offers(f.Type, kind):
			suspects++
		case tag.name != "-" && f.Name != "_":
			others++
		}
	}
	return suspects > 0 && suspects+others > 1
}

// offers reports whether embedding a type promotes a method of the kind.
func offers(t reflect.Type, kind codecKind) bool {
	write, read := kind.interfaces()
	if t.Implements(write) || t.Implements(read) {
		return true
	}
	pointer := reflect.PointerTo(t)
	return pointer.Implements(write) || pointer.Implements(read)
}
