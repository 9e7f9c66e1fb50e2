package tune

import (
	"errors"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// node is a value of a TOML text and the line that it stands on.
type node struct {
	value  any
	line   int             // 0 where TOML gives none
	fields map[string]node // of a table
	tables []node          // of an array of tables
}

// plant reads a text as it is, without a word on what it should hold.
func plant(text string) (node, error) {
	var top map[string]toml.Primitive
	meta, err := toml.Decode(text, &top)
	if err != nil {
		return node{}, err
	}
	return node{fields: growAll(&meta, top)}, nil
}

func growAll(meta *toml.MetaData, inner map[string]toml.Primitive) map[string]node {
	fields := make(map[string]node, len(inner))
	for name, p := range inner {
		fields[name] = grow(meta, p)
	}
	return fields
}

func grow(meta *toml.MetaData, p toml.Primitive) node {
	var seen sight
	n := node{}
	if at, ok := errors.AsType[toml.ParseError](meta.PrimitiveDecode(p, &seen)); ok {
		n.line = at.Position.Line
	}
	n.value = seen.value
	switch v := n.value.(type) {
	case map[string]any:
		var inner map[string]toml.Primitive
		if meta.PrimitiveDecode(p, &inner) == nil {
			n.fields = growAll(meta, inner)
		}
	case []map[string]any, []any:
		if list, mixed := v.([]any); mixed && !onlyTables(list) {
			break
		}
		var inner []map[string]toml.Primitive
		if meta.PrimitiveDecode(p, &inner) == nil {
			for _, one := range inner {
				n.tables = append(n.tables, node{fields: growAll(meta, one)})
			}
		}
	}
	return n
}

// onlyTables tells whether an array on a line is one of tables.
func onlyTables(list []any) bool {
	return len(list) > 0 && !slices.ContainsFunc(list, func(one any) bool {
		_, table := one.(map[string]any)
		return !table
	})
}

// sight takes a value and then refuses it: the decoder tells a line with its errors only.
type sight struct{ value any }

var errSeen = errors.New("seen")

func (s *sight) UnmarshalTOML(value any) error {
	s.value = value
	return errSeen
}

// placed gives the tables of an array with their own lines. The decoder has one line for a field of all of them, which is where the last one has it;
// so that the text is read again up to the end of each.
func placed(text, name string, tables []node) []node {
	lines := strings.Split(text, "\n")
	var heads []int
	for n, line := range lines {
		if isHead(line, name) {
			heads = append(heads, n)
		}
	}
	own := make([]node, len(tables))
	for n := range tables {
		own[n] = tables[n].withoutLines()
		if len(heads) != len(tables) {
			continue // written in a way that shows no heads
		}
		end := len(lines)
		if n+1 < len(heads) {
			end = heads[n+1]
		}
		if upTo, err := plant(strings.Join(lines[:end], "\n")); err == nil && len(upTo.fields[name].tables) == n+1 {
			own[n] = upTo.fields[name].tables[n]
			own[n].line = heads[n] + 1
		}
	}
	return own
}

// isHead tells whether a line is [[name]].
func isHead(line, name string) bool {
	line, _, _ = strings.Cut(line, "#")
	inner, opened := strings.CutPrefix(strings.TrimSpace(line), "[[")
	inner, closed := strings.CutSuffix(inner, "]]")
	return opened && closed && strings.TrimSpace(inner) == name
}

func (n node) withoutLines() node {
	bare := node{value: n.value, fields: make(map[string]node, len(n.fields))}
	for name, field := range n.fields {
		bare.fields[name] = node{value: field.value}
	}
	return bare
}
