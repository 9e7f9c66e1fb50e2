package redisadapter

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
)

// formatName is part of every fingerprint. Change it when the same shapes are written differently.
const formatName = "cacheaside msgpack 1\n"

// fingerprint reduces a shape to 32 bits that are the same in every process and build. It never is 0.
//
// Each shape is described by a line of text in which its parts appear as the SHA-256 digests, in hexadecimal, of their
// own lines; the fingerprint is the first four bytes, big-endian, of the digest of the format's name and the root's
// line. The lines:
//
//	bool int int8 … uint64 float32 float64 string bytes bytes[N] time     leaves
//	own "import/path.Type by text"                                        a type with a codec of its own
//	[]E  [N]E  map[K]E                                                    E and K are digests
//	struct{"name"E;"name"?E;}                                             sorted by name, ? = may be missing
//	tuple{"name"E;}                                                       as_array, in the order of the struct
//	*…                                                                    a pointer to any of these
//
// Names of types count for nothing, except for those with a codec of their own. A type that contains itself is unfolded
// as deep as values may be nested, its innermost parts being empty lines: so two ways to spell the same infinite shape
// have one fingerprint.
func fingerprint(root *shape, all []*shape) uint32 {
	digests := make(map[*shape]string, len(all))
	for range maxDepth {
		next := make(map[*shape]string, len(all))
		changed := false
		for _, sh := range all {
			sum := sha256.Sum256([]byte(sh.line(digests)))
			next[sh] = hex.EncodeToString(sum[:])
			changed = changed || next[sh] != digests[sh]
		}
		digests = next
		if !changed {
			break
		}
	}
	sum := sha256.Sum256([]byte(formatName + root.line(digests)))
	return max(1, binary.BigEndian.Uint32(sum[:]))
}

// line is the text of one shape, given the digests of its parts.
func (sh *shape) line(digests map[*shape]string) string {
	text := ""
	if sh.pointer {
		text = "*"
	}
	switch sh.kind {
	case shapeBool, shapeInt, shapeUint, shapeFloat, shapeString, shapeBytes, shapeByteArray, shapeTime:
		text += sh.name
	case shapeOwn:
		text += "own " + strconv.Quote(sh.name)
	case shapeSlice:
		text += "[]" + digests[sh.elem]
	case shapeArray:
		text += "[" + strconv.Itoa(sh.length) + "]" + digests[sh.elem]
	case shapeMap:
		text += "map[" + digests[sh.key] + "]" + digests[sh.elem]
	case shapeStruct:
		fields := slices.Clone(sh.fields)
		slices.SortFunc(fields, func(a, b shapeField) int { return strings.Compare(a.name, b.name) })
		text += "struct" + fieldLines(fields, digests)
	case shapeTuple:
		text += "tuple" + fieldLines(sh.fields, digests)
	}
	return text
}

func fieldLines(fields []shapeField, digests map[*shape]string) string {
	var b strings.Builder
	b.WriteString("{")
	for _, f := range fields {
		b.WriteString(strconv.Quote(f.name))
		if f.omit {
			b.WriteString("?")
		}
		b.WriteString(digests[f.shape])
		b.WriteString(";")
	}
	b.WriteString("}")
	return b.String()
}
