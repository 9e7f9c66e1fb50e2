package redisadapter

import (
	"reflect"
	"slices"
)

// markerField is the field by which a struct sets options for itself.
const markerField = "_msgpack"

func (c *shapeCompiler) compileStruct(sh *shape, t reflect.Type, at place, path string) {
	fields, tuple := c.structFields(t, at, path)
	*sh = shape{kind: shapeStruct, accepts: 1 << classMap, fields: fields}
	if tuple {
		sh.kind, sh.accepts = shapeTuple, 1<<classArray
		for i := range fields {
			fields[i].omit = false // the encoder leaves no gaps in an array
		}
		return
	}
	sh.byName = make(map[string]int, len(fields))
	for i := range fields {
		sh.byName[fields[i].name] = i
		if !fields[i].omit {
			sh.required++
		}
	}
}

// structFields lists the fields of a struct as the encoder orders them, those of embedded structs in place, and
// reports whether the struct is an array on the wire.
func (c *shapeCompiler) structFields(t reflect.Type, at place, path string) ([]shapeField, bool) {
	list := fieldList{shapeCompiler: c, names: map[string]bool{}, at: at, path: path}
	for i := range t.NumField() {
		list.add(t.Field(i))
	}
	return list.fields, list.tuple
}

// fieldList is one struct in the making.
type fieldList struct {
	*shapeCompiler

	fields  []shapeField
	names   map[string]bool
	tuple   bool
	omitAll bool
	at      place
	path    string
}

func (l *fieldList) add(f reflect.StructField) {
	path := l.path + "." + f.Name
	tag, rule := parseFieldTag(f.Tag.Get(tagName))
	if rule != "" {
		l.refuse(f.Type, path, rule)
		return
	}
	switch {
	case tag.name == "-" || f.Name == "_": // left out on request; not a field at all
		return
	case f.Name == markerField && f.Type.Size() == 0:
		l.tuple = tag.has("as_array") || tag.has("asArray")
		l.omitAll = l.omitAll || tag.has("omitempty")
		return
	case tag.name == "":
		tag.name = f.Name
	}
	inline, rule := inlines(f, tag)
	if rule != "" {
		l.refuse(f.Type, path, rule)
		return
	}
	l.claim(f.Type, path, tag.name) // an embedded struct too: the decoder knows it by its name
	if inline {
		l.inline(f, path)
		return
	}
	if !f.IsExported() {
		l.refuse(f.Type, path, "a field that is not exported would vanish; export it, or tag it "+tagName+`:"-"`)
		return
	}
	omit := tag.has("omitempty") || l.omitAll
	if omit && !omitsOnlyZero(f.Type) {
		l.refuse(f.Type, path, "omitempty would leave out values other than the zero value; drop it")
	}
	l.fields = append(l.fields, shapeField{
		name:   tag.name,
		wire:   string(appendStringHead(nil, len(tag.name))) + tag.name,
		goName: f.Name,
		index:  f.Index,
		omit:   omit,
		shape:  l.compile(f.Type, l.at, path),
	})
}

// inline takes the fields of an embedded struct in.
func (l *fieldList) inline(f reflect.StructField, path string) {
	inner, _ := l.structFields(f.Type, l.at, path)
	for _, field := range inner {
		l.claim(f.Type, path+"."+field.goName, field.name)
		field.index = slices.Concat(f.Index, field.index)
		l.fields = append(l.fields, field)
	}
}

// claim refuses a second field of one name: the decoder would fill only one of them.
func (l *fieldList) claim(t reflect.Type, path, name string) {
	if l.names[name] {
		l.refuse(t, path, "two fields of one struct have the same name on the wire; rename one")
	}
	l.names[name] = true
}
