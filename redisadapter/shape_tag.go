package redisadapter

import (
	"reflect"
	"slices"
	"strings"
	"time"
)

// fieldTag is a parsed struct tag: a name and options.
type fieldTag struct {
	name    string
	options []string
}

// parseFieldTag reads the part of the encoder's tag language that can be strict. Quotes, escapes and options with
// values are refused, as are the two options that give a field a second form on the wire.
func parseFieldTag(text string) (fieldTag, string) {
	if strings.ContainsAny(text, `'\:()`) {
		return fieldTag{}, "only plain names and options are supported in the tag, no quotes and no values such as an alias"
	}
	parts := strings.Split(text, ",")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	tag := fieldTag{name: parts[0], options: parts[1:]}
	if tag.has("intern") {
		return fieldTag{}, "intern gives a string two forms on the wire; drop it"
	}
	return tag, ""
}

func (t fieldTag) has(option string) bool { return slices.Contains(t.options, option) }

// inlines reports whether the encoder puts the fields of an embedded struct in place of the field itself; if that
// loses something, it gives the rule.
func inlines(f reflect.StructField, tag fieldTag) (bool, string) {
	if !f.Anonymous || tag.has("noinline") {
		return false, ""
	}
	t, pointer := f.Type, f.Type.Kind() == reflect.Pointer
	if pointer {
		t = t.Elem()
	}
	plain := t.Kind() == reflect.Struct && t != reflect.TypeFor[time.Time]() && !ownCodecOf(t).any()
	switch {
	case plain && pointer:
		return false, "the nil of an embedded pointer would be lost; tag it noinline, or embed the struct itself"
	case !plain && tag.has("inline"):
		return false, "only a plain struct can be inlined"
	}
	return plain, ""
}

// omitsOnlyZero reports whether what the encoder takes for empty is the zero value and nothing else. Not so for slices
// and maps (empty is not nil), floats (-0), and types that define IsZero themselves.
func omitsOnlyZero(t reflect.Type) bool {
	if t == reflect.TypeFor[time.Time]() {
		return true
	}
	if t.Implements(reflect.TypeFor[interface{ IsZero() bool }]()) {
		return false
	}
	switch t.Kind() {
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint,
		reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.String, reflect.Pointer:
		return true
	default:
		return false
	}
}
