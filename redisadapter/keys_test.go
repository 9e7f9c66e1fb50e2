package redisadapter_test

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/redisadapter"
)

// keyVectors are made by an implementation of its own, in another language.
type keyVectors struct {
	Vectors []struct {
		Secret, Namespace, Region, Scope string
		KeyKind                          string `json:"key_kind"`
		Key, Canonical                   string
		PhysicalKey                      string `json:"physical_key"`
	}
	Derived []struct{ Secret, Key, Digest, Jitter string }
}

func readVectors(t *testing.T) keyVectors {
	t.Helper()
	text, err := os.ReadFile("testdata/keys.json")
	if err != nil {
		t.Fatal(err)
	}
	var v keyVectors
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func unhex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestPhysicalKeysAreThoseOfThePublishedVectors(t *testing.T) {
	vectors := readVectors(t)
	kinds := map[string]int{}
	for _, v := range vectors.Vectors {
		kinds[v.KeyKind]++
		got := redisadapter.PhysicalKeyOf(v.Namespace, v.Region, v.Scope, unhex(t, v.Secret), unhex(t, v.Canonical))
		if got != v.PhysicalKey {
			t.Errorf("%s %q in %s/%s: %s, want %s", v.KeyKind, v.Key, v.Region, v.Scope, got, v.PhysicalKey)
		}
		if got := canonicalOf(t, v.KeyKind, string(unhex(t, v.Key))); got != string(unhex(t, v.Canonical)) {
			t.Errorf("canonical of %s %q is %q", v.KeyKind, v.Key, got)
		}
	}
	if len(kinds) != 4 {
		t.Errorf("kinds of keys %v", kinds)
	}
	for _, v := range vectors.Derived {
		key, digest, jitter := redisadapter.SecretsOf(unhex(t, v.Secret))
		if hex.EncodeToString(key) != v.Key || hex.EncodeToString(digest) != v.Digest || hex.EncodeToString(jitter) != v.Jitter {
			t.Errorf("secrets derived from %s differ", v.Secret)
		}
	}
}

func canonicalOf(t *testing.T, kind, text string) string {
	t.Helper()
	switch kind {
	case "string":
		return redisadapter.CanonicalOf(nil, text)
	case "signed":
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		return redisadapter.CanonicalOf(nil, n)
	case "unsigned":
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		return redisadapter.CanonicalOf(nil, n)
	case "keystring":
		return redisadapter.CanonicalOf(func([2]int) string { return text }, [2]int{})
	}
	t.Fatalf("unknown kind %q", kind)
	return ""
}

type (
	namedString string
	namedInt    int16
	namedUint   uint8
)

func TestKeysOfEveryKindAreTaggedByTheirKindAlone(t *testing.T) {
	for want, got := range map[string]string{
		"s1":                    redisadapter.CanonicalOf(nil, namedString("1")),
		"i-1":                   redisadapter.CanonicalOf(nil, int(-1)),
		"i1":                    redisadapter.CanonicalOf(nil, namedInt(1)),
		"i-128":                 redisadapter.CanonicalOf(nil, int8(-128)),
		"i2147483647":           redisadapter.CanonicalOf(nil, int32(math.MaxInt32)),
		"i-9223372036854775808": redisadapter.CanonicalOf(nil, int64(math.MinInt64)),
		"u255":                  redisadapter.CanonicalOf(nil, namedUint(255)),
		"u7":                    redisadapter.CanonicalOf(nil, uint(7)),
		"u65535":                redisadapter.CanonicalOf(nil, uint16(math.MaxUint16)),
		"u4294967295":           redisadapter.CanonicalOf(nil, uint32(math.MaxUint32)),
		"u18446744073709551615": redisadapter.CanonicalOf(nil, uint64(math.MaxUint64)),
		"kx":                    redisadapter.CanonicalOf(func(string) string { return "x" }, "1"),
	} {
		if got != want {
			t.Errorf("canonical %q, want %q", got, want)
		}
	}
}

func TestKeysThatHaveNoTextOfTheirOwnNeedAKeyString(t *testing.T) {
	if redisadapter.HasCanonical[struct{ A int }]() || redisadapter.HasCanonical[float64]() || redisadapter.HasCanonical[bool]() || redisadapter.HasCanonical[any]() {
		t.Error("a kind without a canonical text was accepted")
	}
}

func TestC89_PartsOfANameNeverRunIntoEachOther(t *testing.T) {
	_, client := started(t)
	ctx := context.Background()
	type place struct{ namespace, region, scope, key string }
	places := []place{
		{"a", "b", "", "c"}, {"a", "b.c", "", "c"}, {"a.b", "c", "", "c"}, {"a", "b", "c", "c"}, {"a", "b", "", "c:c"}, {"a", "b", "", "b:c"},
		{"r", "r1", "", "1k"}, {"r", "r11", "", "k"}, {"r", "r", "1", "k"}, {"r", "r", "", "x\x00y"}, {"r", "r", "", "x"}, {"r", "r", "", "y"},
	}
	for _, p := range places {
		cfg := patient(base())
		cfg.Namespace, cfg.Region, cfg.Scope = p.namespace, p.region, p.scope
		c := open(t, client, cfg)
		wantKind(t, c.Lookup(ctx, p.key), cacheaside.LookupMiss)
		mustApply(t, c.Record(ctx, p.key, value("v"), ifAbsent))
	}
	keys, err := client.Keys(ctx, "*").Result()
	if err != nil || len(keys) != len(places) {
		t.Fatalf("%d keys for %d places, %v", len(keys), len(places), err)
	}
	for _, name := range []string{"a:b", "", "a{b", "a\x00b", strings.Repeat("a", 65)} {
		for _, field := range []string{"Namespace", "Region", "Scope"} {
			if name == "" && field == "Scope" {
				continue // the root
			}
			cfg := base()
			*map[string]*string{"Namespace": &cfg.Namespace, "Region": &cfg.Region, "Scope": &cfg.Scope}[field] = name
			wantFault(t, newErr(client, cfg), field)
		}
	}
}

func TestC91_OddKeysRoundTripUnderNamesOfOneLength(t *testing.T) {
	_, client := started(t)
	c := open(t, client, patient(base()))
	ctx := context.Background()
	keys := []string{" ", "\r\nDEL x", "\x00", "{a}b", "\xff", strings.Repeat("k", redisadapter.MaxKeyBytes)}
	for i, key := range keys {
		mustApply(t, c.Record(ctx, key, value(strconv.Itoa(i)), ifAbsent))
	}
	for i, key := range keys {
		if got := wantKind(t, c.Lookup(ctx, key), cacheaside.LookupFresh); got.Value != strconv.Itoa(i) {
			t.Errorf("key %d reads %q", i, got.Value)
		}
		if c.KeyString(key) != key {
			t.Errorf("key %d has another text", i)
		}
	}
	names, err := client.Keys(ctx, "*").Result()
	if err != nil || len(names) != len(keys) {
		t.Fatalf("%d names, %v", len(names), err)
	}
	for _, name := range names {
		if len(name) != len(names[0]) || len(name) >= 128 || strings.ContainsFunc(name, func(r rune) bool { return r < '!' || r > '~' }) {
			t.Errorf("name %q", name)
		}
	}
}

func TestC91_AnEmptyOrOverlongKeyIsATypedErrorBeforeAnyCommand(t *testing.T) {
	client := unreachable(t)
	c := open(t, client, base())
	ctx := context.Background()
	for _, key := range []string{"", strings.Repeat("k", redisadapter.MaxKeyBytes+1)} {
		var fault *cacheaside.FieldError
		got := wantKind(t, c.Lookup(ctx, key), cacheaside.LookupUnavailable)
		if !errors.As(got.Err, &fault) || fault.Field != "key" || strings.Contains(fault.Error(), "kkk") {
			t.Errorf("lookup: %v", got.Err)
		}
		for _, out := range []cacheaside.RecordOutcome{c.Record(ctx, key, value("v"), ifAbsent), c.Invalidate(ctx, key)} {
			wantOutcome(t, out, cacheaside.RecordNotApplied, cacheaside.RecordNeverSent)
			if !errors.As(out.Err, &fault) || fault.Field != "key" {
				t.Errorf("record: %v", out.Err)
			}
		}
	}
	if n := client.PoolStats().Misses; n != 0 {
		t.Errorf("%d connections were asked for", n)
	}
}

func TestC93_BracesInKeysNeitherSplitNorPinSlots(t *testing.T) {
	slots := map[int]bool{}
	for i := range 1000 {
		name := redisadapter.PhysicalKeyOf("n", "r", "", base().Secret, []byte("s{same}"+strconv.Itoa(i)))
		if strings.Count(name, "{") != 1 || strings.Count(name, "}") != 1 {
			t.Fatalf("name %q", name)
		}
		staging := redisadapter.StagingKey(name, [8]byte{1, 2, 3})
		if slotOf(name) != slotOf(staging) || name == staging {
			t.Fatalf("%q and %q", name, staging)
		}
		slots[slotOf(name)] = true
	}
	if len(slots) <= 500 {
		t.Errorf("1000 keys lie in %d slots", len(slots))
	}
	for _, key := range []string{"{a}b", "{}x", "a{", "}{", "{a}{b}"} {
		name := redisadapter.PhysicalKeyOf("n", "r", "", base().Secret, []byte("s"+key))
		if slots := []int{slotOf(name), slotOf(redisadapter.StagingKey(name, [8]byte{}))}; slots[0] != slots[1] {
			t.Errorf("key %q has slots %v", key, slots)
		}
	}
}

// slotOf is the cluster's hash slot: CRC-16/XMODEM of what is in the first braces.
func slotOf(key string) int {
	if open := strings.IndexByte(key, '{'); open >= 0 {
		if end := strings.IndexByte(key[open+1:], '}'); end > 0 {
			key = key[open+1 : open+1+end]
		}
	}
	crc := uint16(0)
	for _, b := range []byte(key) {
		crc ^= uint16(b) << 8
		for range 8 {
			if crc&0x8000 != 0 {
				crc = crc<<1 ^ 0x1021
			} else {
				crc <<= 1
			}
		}
	}
	return int(crc % 16384)
}

func TestTheSlotArithmeticOfTheseTestsIsTheServers(t *testing.T) {
	if got := []int{slotOf("123456789"), slotOf("{a}b"), slotOf("a")}; !slices.Equal(got, []int{12739, 15495, 15495}) {
		t.Errorf("slots %v", got)
	}
}
