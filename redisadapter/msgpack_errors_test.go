package redisadapter_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/vmihailenco/msgpack/v5"

	"github.com/cacheaside/resilience/redisadapter"
)

const confidential = "hunter2"

var errOwnCodec = errors.New("own codec: " + confidential)

// ownType is a type whose codec does what Mode says.
type ownType struct{ Mode string }

func (o *ownType) EncodeMsgpack(enc *msgpack.Encoder) error {
	switch o.Mode {
	case "error":
		return errOwnCodec
	case "panic":
		panic(confidential)
	case "panic with an error":
		panic(errOwnCodec)
	case "nothing":
		return nil
	case "two values":
		return errors.Join(enc.EncodeString("a"), enc.EncodeString("b"))
	case "half a value":
		return enc.EncodeArrayLen(3)
	case "too deep":
		for range 64 {
			if err := enc.EncodeArrayLen(1); err != nil {
				return err
			}
		}
		return enc.EncodeMapLen(0)
	case "nil":
		return enc.EncodeNil()
	}
	return enc.EncodeString(o.Mode)
}

func (o *ownType) DecodeMsgpack(dec *msgpack.Decoder) error {
	mode, err := dec.DecodeString()
	o.Mode = mode
	switch mode {
	case "read error":
		return errOwnCodec
	case "read panic":
		panic(confidential)
	case "read beyond":
		_, err = dec.DecodeString()
	}
	return err
}

func TestC71_AFailingCodecOfATypeIsATypedErrorWithoutItsText(t *testing.T) {
	t.Parallel()
	type holder struct {
		Secret string
		Own    []ownType
	}
	codec := redisadapter.Msgpack[holder]()
	for mode, rule := range map[string]string{
		"error":               "the encoder of a type failed",
		"panic":               "a method of a type panicked with a string",
		"panic with an error": "a method of a type panicked with a *errors.errorString",
		"nothing":             ruleLength,
		"two values":          ruleMore,
		"half a value":        ruleLength,
		"too deep":            ruleDepth,
	} {
		dst := []byte("before")
		out, err := codec.Append(dst, holder{confidential, []ownType{{mode}}})
		var fault *redisadapter.CodecError
		if !errors.As(err, &fault) || !errors.Is(err, redisadapter.ErrUnencodable) || fault.Op != "append" {
			t.Fatalf("%s: got %v", mode, err)
		}
		if fault.Rule != rule || string(out) != "before" {
			t.Errorf("%s: got the rule %q and %q", mode, fault.Rule, out)
		}
		if mode == "error" && !errors.Is(err, errOwnCodec) {
			t.Errorf("the cause is not in the chain of %v", err)
		}
		checkSilent(t, err)
	}
	roundTrip(t, holder{confidential, []ownType{{"a good one"}}})
	if back := readBack[ownType](t, msgpackOf(t, ownType{"nil"})); back.Mode != "" {
		t.Fatalf("a type that writes nil was read as %+v", back)
	}
}

func TestADecoderOfATypeThatFailsIsATypedErrorWithoutItsText(t *testing.T) {
	t.Parallel()
	for mode, rule := range map[string]string{
		"read error":  "the decoder of a type failed",
		"read panic":  "a method of a type panicked with a string",
		"read beyond": "the decoder of a type failed",
	} {
		payload := msgpackOf(t, ownType{mode})
		wantRefused[ownType](t, payload, rule)
		var value ownType
		err := redisadapter.Msgpack[ownType]().Decode(payload, &value)
		if mode == "read error" && !errors.Is(err, errOwnCodec) {
			t.Errorf("the cause is not in the chain of %v", err)
		}
		checkSilent(t, err)
	}
	roundTrip(t, []lazyType{})
	wantRefused[lazyType](t, []byte{0x01}, "the decoder of a type has left bytes of its value")
}

// keptType keeps the pointers on which it was called.
type keptType struct {
	N    int
	kept *[]*keptType `msgpack:"-"`
}

func (k *keptType) EncodeMsgpack(enc *msgpack.Encoder) error {
	*k.kept = append(*k.kept, k)
	return enc.EncodeInt(int64(k.N))
}

func (k *keptType) DecodeMsgpack(dec *msgpack.Decoder) (err error) {
	k.N, err = dec.DecodeInt()
	return err
}

func TestAValueThatItsMethodsKeepIsNotUsedAgain(t *testing.T) {
	t.Parallel()
	codec, kept := redisadapter.Msgpack[keptType](), []*keptType{}
	for n := range 20 {
		if _, err := codec.Append(nil, keptType{n, &kept}); err != nil {
			t.Fatal(err)
		}
	}
	for n, k := range kept {
		if k.N != n {
			t.Fatalf("value %d has become %d", n, k.N)
		}
	}
}

// lazyType does not read what it has written.
type lazyType struct{}

func (*lazyType) EncodeMsgpack(enc *msgpack.Encoder) error { return enc.EncodeBool(true) }
func (*lazyType) DecodeMsgpack(dec *msgpack.Decoder) error { return nil }

func checkSilent(t *testing.T, err error) {
	t.Helper()
	for _, text := range []string{err.Error(), fmt.Sprintf("%v", err), fmt.Sprintf("%+v", err), fmt.Sprintf("%q", err)} {
		if strings.Contains(text, confidential) {
			t.Errorf("the error says %s", text)
		}
	}
}

func TestNoErrorHoldsAnythingOfAPayload(t *testing.T) {
	t.Parallel()
	type holder struct {
		A string
		B int8
	}
	text := plainMsgpack(t, confidential)
	for _, payload := range [][]byte{
		text, text[:4], append([]byte{0x82}, append(text, text...)...), append([]byte{0x91}, text...),
		append([]byte("\x82\xa1A"), append(text, []byte("\xa1B\xcd\x30\x39")...)...), plainMsgpack(t, []byte(confidential)),
	} {
		var value holder
		err := redisadapter.Msgpack[holder]().Decode(payload, &value)
		if !errors.Is(err, redisadapter.ErrPayload) {
			t.Fatalf("got %v", err)
		}
		checkSilent(t, err)
		if strings.Contains(err.Error(), "12345") {
			t.Errorf("the error holds the number: %v", err)
		}
	}
}

func TestAnErrorNamesThePlaceOfTheFault(t *testing.T) {
	t.Parallel()
	type inner struct{ N int8 }
	type outer struct {
		Before string
		Lists  map[string][]inner
	}
	payload := append(append([]byte("\x82\xa6Before\xa1x\xa5Lists\x81\xa1k\x92"), msgpackOf(t, inner{1})...), "\x81\xa1N\xcc\x80"...)
	var value outer
	err := redisadapter.Msgpack[outer]().Decode(payload, &value)
	want := fmt.Sprintf("redisadapter: decode redisadapter_test.outer.Lists[][].N at byte %d: the number does not fit",
		len(payload))
	if err == nil || err.Error() != want {
		t.Fatalf("got  %v\nwant %s", err, want)
	}
}

func TestAStateThatMetAnErrorIsNotUsedAgain(t *testing.T) {
	t.Parallel()
	type holder struct {
		Own  ownType
		Raw  msgpack.RawMessage
		Text string
	}
	codec := redisadapter.Msgpack[holder]()
	good := holder{ownType{"fine"}, msgpack.RawMessage{0x93, 1, 2, 3}, "text"}
	for range 50 {
		var value holder
		payload, err := codec.Append(nil, good)
		if err != nil {
			t.Fatal(err)
		}
		if err := codec.Decode(payload, &value); err != nil || value.Text != "text" || len(value.Raw) != 4 {
			t.Fatalf("got %+v, %v", value, err)
		}
		for _, mode := range []string{"error", "panic", "half a value"} {
			if _, err := codec.Append(nil, holder{Own: ownType{mode}}); err == nil {
				t.Fatal("no error")
			}
		}
		for _, mode := range []string{"read error", "read panic", "read beyond"} {
			bad, err := codec.Append(nil, holder{Own: ownType{mode}, Raw: good.Raw})
			if err != nil {
				t.Fatal(err)
			}
			if err := codec.Decode(bad, &value); err == nil {
				t.Fatal("no error")
			}
		}
	}
}
