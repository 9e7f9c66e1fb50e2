package redisadapter

import (
	"encoding/binary"
	"math"
	"reflect"
)

// appendStringHead and appendBytesHead append what precedes the bytes of a string or a byte slice.
func appendStringHead(dst []byte, n int) []byte {
	switch {
	case n < 32:
		return append(dst, codeFixString|byte(n))
	case n <= math.MaxUint8:
		return append(dst, codeString, byte(n))
	case n <= math.MaxUint16:
		return binary.BigEndian.AppendUint16(append(dst, codeString+1), uint16(n))
	default:
		return binary.BigEndian.AppendUint32(append(dst, codeString+2), uint32(n))
	}
}

func appendBytesHead(dst []byte, n int) []byte {
	switch {
	case n <= math.MaxUint8:
		return append(dst, codeBytes, byte(n))
	case n <= math.MaxUint16:
		return binary.BigEndian.AppendUint16(append(dst, codeBytes+1), uint16(n))
	default:
		return binary.BigEndian.AppendUint32(append(dst, codeBytes+2), uint32(n))
	}
}

// longestBlob is what the four bytes of a length can say.
const longestBlob = math.MaxUint32

// maxHead is the length of the longest head.
const maxHead = 5

// appendBlob encodes a value that is a string or a byte slice, with a single copy.
func appendBlob[V any](dst []byte, value *V) ([]byte, bool) {
	text, raw, isText := blobOf(value)
	switch {
	case isText && uint64(len(text)) <= longestBlob:
		return append(appendStringHead(roomFor(dst, len(text)), len(text)), text...), true
	case !isText && raw == nil:
		return append(dst, codeNil), true
	case !isText && uint64(len(raw)) <= longestBlob:
		return append(appendBytesHead(roomFor(dst, len(raw)), len(raw)), raw...), true
	default:
		return dst, false
	}
}

func blobOf[V any](value *V) (text string, raw []byte, isText bool) {
	switch v := any(value).(type) {
	case *string:
		return *v, nil, true
	case *[]byte:
		return "", *v, false
	}
	v := reflect.ValueOf(value).Elem()
	if v.Kind() == reflect.String {
		return v.String(), nil, true
	}
	return "", v.Bytes(), false
}

// setBlob decodes a string or a byte slice, with a single copy. The payload has been scanned.
func setBlob[V any](value *V, payload []byte, s *scanner) {
	if payload[0] == codeNil {
		return
	}
	s.pos = 0
	_, n := s.token()
	body := payload[len(payload)-int(n):]
	switch v := any(value).(type) {
	case *string:
		*v = string(body)
		return
	case *[]byte:
		*v = cloneBytes(body)
		return
	}
	v := reflect.ValueOf(value).Elem()
	if v.Kind() == reflect.String {
		v.SetString(string(body))
	} else {
		v.SetBytes(cloneBytes(body))
	}
}

// cloneBytes copies to exactly as much memory, and keeps an empty slice apart from nil.
func cloneBytes(b []byte) []byte {
	c := make([]byte, len(b))
	copy(c, b)
	return c
}

// roomFor makes room for n bytes and a head at once.
func roomFor(dst []byte, n int) []byte {
	if cap(dst)-len(dst) >= n+maxHead {
		return dst
	}
	grown := make([]byte, len(dst), len(dst)+n+maxHead)
	copy(grown, dst)
	return grown
}
