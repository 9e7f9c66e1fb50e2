package plain

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
)

// JSON gives the value indented by two spaces, with a line feed at its end. It knows what plain data is made of: structs with json tags, maps with
// string keys, slices, pointers, strings, booleans and numbers; anything else is an error that names its type.
func JSON(value any) ([]byte, error) {
	var compact bytes.Buffer
	if err := write(&compact, reflect.ValueOf(value)); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := json.Indent(&out, compact.Bytes(), "", "  "); err != nil {
		return nil, fmt.Errorf("json: %w", err)
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

func write(out *bytes.Buffer, v reflect.Value) error {
	switch v.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		if v.IsNil() {
			out.WriteString("null")
			return nil
		}
	case reflect.Float32, reflect.Float64:
		if f := v.Float(); math.IsNaN(f) || math.IsInf(f, 0) {
			out.WriteString("null")
			return nil
		}
	}
	switch v.Kind() {
	case reflect.Pointer:
		return write(out, v.Elem())
	case reflect.Struct:
		return writeStruct(out, v)
	case reflect.Map:
		return writeMap(out, v)
	case reflect.Slice, reflect.Array:
		return writeSlice(out, v)
	case reflect.String, reflect.Bool, reflect.Float32, reflect.Float64, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		text, err := json.Marshal(v.Interface())
		out.Write(text)
		return err
	case reflect.Invalid:
		out.WriteString("null")
		return nil
	default:
		return fmt.Errorf("json: %s is not plain data", v.Type())
	}
}

func writeStruct(out *bytes.Buffer, v reflect.Value) error {
	out.WriteByte('{')
	first := true
	for i := range v.NumField() {
		field := v.Type().Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if !field.IsExported() || name == "-" || options == "omitempty" && isEmpty(v.Field(i)) {
			continue
		}
		if name == "" {
			name = field.Name
		}
		if err := member(out, &first, name, v.Field(i)); err != nil {
			return err
		}
	}
	out.WriteByte('}')
	return nil
}

func writeMap(out *bytes.Buffer, v reflect.Value) error {
	if v.Type().Key().Kind() != reflect.String {
		return fmt.Errorf("json: %s is not plain data: its keys must be strings", v.Type())
	}
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	out.WriteByte('{')
	first := true
	for _, key := range keys {
		if err := member(out, &first, key.String(), v.MapIndex(key)); err != nil {
			return err
		}
	}
	out.WriteByte('}')
	return nil
}

func writeSlice(out *bytes.Buffer, v reflect.Value) error {
	out.WriteByte('[')
	for i := range v.Len() {
		if i > 0 {
			out.WriteByte(',')
		}
		if err := write(out, v.Index(i)); err != nil {
			return err
		}
	}
	out.WriteByte(']')
	return nil
}

func member(out *bytes.Buffer, first *bool, name string, value reflect.Value) error {
	if !*first {
		out.WriteByte(',')
	}
	*first = false
	text, err := json.Marshal(name)
	if err != nil {
		return err
	}
	out.Write(text)
	out.WriteByte(':')
	return write(out, value)
}

// isEmpty is what omitempty leaves out.
func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map, reflect.String, reflect.Array:
		return v.Len() == 0
	case reflect.Struct:
		return false
	default:
		return v.IsZero()
	}
}
