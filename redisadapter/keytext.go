package redisadapter

import (
	"reflect"
	"strconv"

	"github.com/cacheaside/resilience/cacheaside"
)

// MaxKeyBytes is the longest key text: that of a string key, or what KeyString gives.
const MaxKeyBytes = 1 << 20

// The tags of the canonical encoding, one byte before the key's text. They keep the key 1 and the key "1" apart.
const (
	tagString    = 's'
	tagSigned    = 'i'
	tagUnsigned  = 'u'
	tagKeyString = 'k'
)

// canonicalizer appends the canonical encoding of a key: a tag and the key's text.
type canonicalizer[K comparable] func(dst []byte, key K) []byte

// newCanonicalizer returns nil where K needs a KeyString function. The common types are matched as they are; a named type takes the way through
// reflection, which allocates.
func newCanonicalizer[K comparable](keyString func(K) string) canonicalizer[K] {
	if keyString != nil {
		return func(dst []byte, key K) []byte { return append(append(dst, tagKeyString), keyString(key)...) }
	}
	var zero K
	switch any(zero).(type) {
	case string:
		return func(dst []byte, key K) []byte {
			text, _ := any(key).(string)
			return append(append(dst, tagString), text...)
		}
	case int:
		return func(dst []byte, key K) []byte {
			n, _ := any(key).(int)
			return strconv.AppendInt(append(dst, tagSigned), int64(n), 10)
		}
	case int64:
		return func(dst []byte, key K) []byte {
			n, _ := any(key).(int64)
			return strconv.AppendInt(append(dst, tagSigned), n, 10)
		}
	case uint64:
		return func(dst []byte, key K) []byte {
			n, _ := any(key).(uint64)
			return strconv.AppendUint(append(dst, tagUnsigned), n, 10)
		}
	}
	return reflectedCanonicalizer[K]()
}

func reflectedCanonicalizer[K comparable]() canonicalizer[K] {
	switch reflect.TypeFor[K]().Kind() { //nolint:exhaustive // every other kind needs a KeyString
	case reflect.String:
		return func(dst []byte, key K) []byte {
			return append(append(dst, tagString), reflect.ValueOf(key).String()...)
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return func(dst []byte, key K) []byte {
			return strconv.AppendInt(append(dst, tagSigned), reflect.ValueOf(key).Int(), 10)
		}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return func(dst []byte, key K) []byte {
			return strconv.AppendUint(append(dst, tagUnsigned), reflect.ValueOf(key).Uint(), 10)
		}
	}
	return nil
}

// checkKeyText refuses a canonical key whose text is empty or too long; the error tells the length, never the text.
func checkKeyText(canonical []byte) error {
	switch n := len(canonical) - 1; {
	case n == 0:
		return &cacheaside.FieldError{Field: "key", Value: "0 bytes", Rule: "must not be empty"}
	case n > MaxKeyBytes:
		return &cacheaside.FieldError{Field: "key", Value: strconv.Itoa(n) + " bytes", Rule: "must be at most " + strconv.Itoa(MaxKeyBytes) + " bytes"}
	}
	return nil
}
