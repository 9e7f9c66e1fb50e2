package cacheaside

import (
	"reflect"
	"strconv"
)

// MaxKeyBytes is the longest canonical text that a key may have.
const MaxKeyBytes = 1 << 20

// keyStringOf chooses how the region's keys become text: the user's way, the cache's own, or strings and integers as they are; nil if there is
// none.
func keyStringOf[K comparable, V any](cfg RegionConfig[K, V]) func(K) string {
	if cfg.KeyString != nil {
		return cfg.KeyString
	}
	if own, ok := cfg.Cache.(interface{ KeyString(K) string }); ok && !isNilInterface(cfg.Cache) {
		return own.KeyString
	}
	if reflect.TypeFor[K]() == reflect.TypeFor[string]() {
		return func(key K) string { return any(key).(string) } //nolint:errcheck // K is string
	}
	switch reflect.TypeFor[K]().Kind() {
	case reflect.String:
		return func(key K) string { return reflect.ValueOf(key).String() }
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return func(key K) string { return strconv.FormatInt(reflect.ValueOf(key).Int(), 10) }
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return func(key K) string { return strconv.FormatUint(reflect.ValueOf(key).Uint(), 10) }
	default:
		return nil
	}
}

// emptyKey tells an empty or overlong string key before anything is asked. Keys of other kinds are judged by their canonical text, on the way to
// the source.
func emptyKey[K comparable]() func(K) bool {
	if reflect.TypeFor[K]() == reflect.TypeFor[string]() {
		return func(key K) bool { return badLength(len(any(key).(string))) } //nolint:errcheck // K is string
	}
	if reflect.TypeFor[K]().Kind() == reflect.String {
		return func(key K) bool { return badLength(reflect.ValueOf(key).Len()) }
	}
	return func(K) bool { return false }
}

func badLength(length int) bool { return length == 0 || length > MaxKeyBytes }

func badKeyError() error {
	return &FieldError{Field: "key", Rule: "must be 1 to " + strconv.Itoa(MaxKeyBytes) + " bytes of canonical text"}
}
