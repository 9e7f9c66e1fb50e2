package redisadapter

// Codec turns values into payload bytes and back. An implementation is safe for concurrent use, keeps neither the
// slices nor the values it is handed, and never panics.
//
// A codec that also has a method `Check() error` is asked once, at construction of the cache: an error there refuses
// the whole configuration. [Msgpack] uses it to name the field that cannot be stored.
type Codec[V any] interface {
	// Append appends the payload of value to dst and returns the longer slice. With an error nothing was appended.
	// Whatever Append accepts, Decode of the same codec must read back as an equal value.
	Append(dst []byte, value V) ([]byte, error)

	// Decode reads one payload, all of it, into *value, which is the zero value on entry and again on error. The
	// value must not share memory with payload.
	Decode(payload []byte, value *V) error

	// Shape is a fingerprint of the wire shape of V; it becomes part of the schema word of each entry, so that an
	// entry written with another shape is refused before it is decoded. 0 means that the codec has none to offer.
	Shape() uint32
}
