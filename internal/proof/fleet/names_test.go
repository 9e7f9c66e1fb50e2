package fleet_test

import (
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"testing"

	"github.com/cacheaside/resilience/envelope"
	"github.com/cacheaside/resilience/redisadapter"
)

// The kinds of what is stored for one key.
const (
	fencedEntry = "f"
	plainEntry  = "v"
	fenceRecord = "g"
)

func derived(t testing.TB, secret []byte, purpose string) []byte {
	t.Helper()
	key, err := hkdf.Key(sha256.New, secret, nil, "cacheaside/2/"+purpose, 32)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// nameOf derives names as the documentation says, independently of the adapter: what the servers hold is read without it.
func nameOf[V any](t testing.TB, cfg redisadapter.Config[string, V], key, kind string) string {
	t.Helper()
	mac := hmac.New(sha256.New, derived(t, cfg.Secret, "key"))
	_, _ = mac.Write([]byte("s" + key))
	return cfg.Namespace + ":" + cfg.Region + ":-:{" + base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:16]) + "}:" + kind
}

// sealed is what is stored under a name when those bytes are, with a digest that holds.
func sealed[V any](t testing.TB, cfg redisadapter.Config[string, V], name string, raw []byte) []byte {
	t.Helper()
	sum := envelope.HMAC(derived(t, cfg.Secret, "digest")).Sum(name, raw)
	return append(raw, sum[:]...)
}
