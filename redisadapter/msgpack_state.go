package redisadapter

import (
	"bytes"
	"reflect"

	"github.com/vmihailenco/msgpack/v5"
)

// keptState is the longest payload after which a state is used again: the buffers of encoder and decoder grow with the
// longest string they have seen, and nothing would shrink them.
const keptState = 64 << 10

// codecState is what one call of Append or Decode works with. It belongs to that call, and to the pool in between.
type codecState[V any] struct {
	scanner scanner
	enc     *msgpack.Encoder
	out     byteSink
	value   V             // being encoded
	held    reflect.Value // value, addressable
	hint    int           // length of the payload encoded last
	dec     *msgpack.Decoder
	in      bytes.Reader
}

func newCodecState[V any]() *codecState[V] {
	s := &codecState[V]{enc: msgpack.NewEncoder(nil), dec: msgpack.NewDecoder(nil)}
	s.held = reflect.ValueOf(&s.value).Elem()
	return s
}

// release drops all references to values and payloads.
func (s *codecState[V]) release() {
	var none V
	s.value = none
	s.out.b = nil
	s.in.Reset(nil)
	s.scanner.p = nil
}

// byteSink collects what the encoder writes.
type byteSink struct{ b []byte }

func (s *byteSink) Write(p []byte) (int, error) {
	s.b = append(s.b, p...)
	return len(p), nil
}

func (s *byteSink) WriteByte(c byte) error {
	s.b = append(s.b, c)
	return nil
}
