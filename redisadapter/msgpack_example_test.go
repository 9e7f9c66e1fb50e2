package redisadapter_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/cacheaside/resilience/redisadapter"
)

func ExampleMsgpack() {
	type Product struct {
		Name  string
		Price int64 `msgpack:"price"`
		Tags  []string
		Since time.Time
		Memo  *string `msgpack:"memo,omitempty"`
	}
	codec := redisadapter.Msgpack[Product]()
	payload, err := codec.Append(nil, Product{Name: "lamp", Price: 1999, Tags: []string{}})
	if err != nil {
		fmt.Println(err)
		return
	}
	var product Product
	err = codec.Decode(payload, &product)
	fmt.Println(product.Name, product.Price, product.Tags != nil, product.Since.IsZero(), product.Memo, err)
	// Output: lamp 1999 true true <nil> <nil>
}

// A number that has outgrown its field is refused, not narrowed; errors name the place and never the value.
func ExampleMsgpack_strict() {
	type Old struct{ Stock int64 }
	type New struct{ Stock int8 }
	payload, err := redisadapter.Msgpack[Old]().Append(nil, Old{Stock: 300})
	if err != nil {
		fmt.Println(err)
		return
	}
	var value New
	err = redisadapter.Msgpack[New]().Decode(payload, &value)
	fmt.Println(errors.Is(err, redisadapter.ErrPayload), value.Stock)
	fmt.Println(err)
	// Output:
	// true 0
	// redisadapter: decode redisadapter_test.New.Stock at byte 10: the number does not fit
}

// The codec names the field because of which a type cannot be stored; so does New, which asks it.
func ExampleShapeError() {
	type Product struct {
		Name    string
		Details map[string]any
	}
	_, err := redisadapter.Msgpack[Product]().Append(nil, Product{Name: "lamp"})
	var shape *redisadapter.ShapeError
	if errors.As(err, &shape) {
		fmt.Println(shape.Path)
		fmt.Println(shape.Rule)
	}
	// Output:
	// redisadapter_test.Product.Details[]
	// an interface type would change on the way back; name a concrete type, or bring a codec
}

// jsonCodec stores values as JSON, for readers in other languages. It has no fingerprint to offer, so whoever changes
// the type counts PayloadSchema up.
type jsonCodec[V any] struct{}

func (jsonCodec[V]) Append(dst []byte, value V) ([]byte, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return dst, fmt.Errorf("a %T is not JSON: %w", value, err)
	}
	return append(dst, text...), nil
}

func (jsonCodec[V]) Decode(payload []byte, value *V) error { return json.Unmarshal(payload, value) }

func (jsonCodec[V]) Shape() uint32 { return 0 }

func ExampleCodec() {
	var codec redisadapter.Codec[map[string]int] = jsonCodec[map[string]int]{}
	payload, err := codec.Append(nil, map[string]int{"stock": 3})
	fmt.Println(string(payload), err)
	// Output: {"stock":3} <nil>
}
