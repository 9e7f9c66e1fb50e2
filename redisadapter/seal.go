package redisadapter

import "github.com/cacheaside/resilience/envelope"

// Seal appends to raw the digest that the region of cfg puts under physicalKey, and returns the longer slice: for tests and tools that make entries of
// their own, of another version or a broken structure. Only cfg.Secret is read. It does not change raw, and is safe for concurrent use.
//
// It panics for a physical key over 65535 bytes.
func Seal[K comparable, V any](cfg Config[K, V], physicalKey string, raw []byte) []byte {
	derived, err := deriveSecrets(cfg.Secret)
	if err != nil {
		panic(err) // only for a length that HKDF cannot stretch to, which is a constant
	}
	digest := envelope.HMAC(derived.digest).Sum(physicalKey, raw)
	return append(raw[:len(raw):len(raw)], digest[:]...)
}
