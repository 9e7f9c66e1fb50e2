package redisadapter

import "github.com/cacheaside/resilience/cacheaside"

// What the vectors and tables of the external tests need to see of the pure parts.

func SecretsOf(secret []byte) (key, digest, jitter []byte) {
	s, err := deriveSecrets(secret)
	if err != nil {
		panic(err)
	}
	return s.key, s.digest, s.jitter
}

func PhysicalKeyOf(namespace, region, scope string, secret, canonical []byte) string {
	key, _, _ := SecretsOf(secret)
	space := newKeyspace(namespace, region, scope, kindValue, key)
	state := space.acquire()
	state.scratch = append(state.scratch, canonical...)
	return space.physical(state)
}

func CanonicalOf[K comparable](keyString func(K) string, key K) string {
	return string(newCanonicalizer(keyString)(nil, key))
}

func HasCanonical[K comparable]() bool { return newCanonicalizer[K](nil) != nil }

var (
	StagingKey = stagingKey
	FaultOf    = faultOf
	SchemaWord = schemaWord
)

func MeaningOf(f Fault) (certainty cacheaside.Certainty, reason cacheaside.RecordReason, breaker string) {
	row := faultTable[f]
	return row.sent, row.reason, [...]string{silent: "silent", alive: "alive", ailing: "ailing"}[row.health]
}
