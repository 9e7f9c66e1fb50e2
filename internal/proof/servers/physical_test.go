package servers_test

import (
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"hash"
	"strings"

	"github.com/cacheaside/resilience/envelope"
)

const (
	namespace = "proof"
	secret    = "a secret of thirty-two bytes, ok"
)

func derived(purpose string) []byte {
	key, err := hkdf.Key(sha256.New, []byte(secret), nil, "cacheaside/2/"+purpose, 32)
	if err != nil {
		panic(err) // only for a length that HKDF cannot stretch to
	}
	return key
}

// naming derives names as the documentation says, independently of the adapter: what the servers hold is read without it.
type naming struct {
	mac      hash.Hash
	digester envelope.Digester
}

func newNaming() *naming {
	return &naming{mac: hmac.New(sha256.New, derived("key")), digester: envelope.HMAC(derived("digest"))}
}

// physical is the name of a key's entry in a region of the root scope. It is not safe for concurrent use.
func (n *naming) physical(region, key string) string {
	n.mac.Reset()
	n.mac.Write([]byte("s" + key))
	return namespace + ":" + region + ":-:{" + base64.RawURLEncoding.EncodeToString(n.mac.Sum(nil)[:16]) + "}:v"
}

// keysInSlot finds n keys of the region that share a slot of a cluster.
func (n *naming) keysInSlot(region string, slot, count int) []string {
	var keys []string
	for i := 0; len(keys) < count; i++ {
		key := fmt.Sprintf("key-%d", i)
		if slotOf(n.physical(region, key)) == slot {
			keys = append(keys, key)
		}
	}
	return keys
}

// slotOf is the hash slot of a name with braces: CRC-16 of what is between them.
func slotOf(physical string) int {
	_, rest, _ := strings.Cut(physical, "{")
	tag, _, _ := strings.Cut(rest, "}")
	crc := uint16(0)
	for i := range len(tag) {
		crc ^= uint16(tag[i]) << 8
		for range 8 {
			if crc&0x8000 != 0 {
				crc = crc<<1 ^ 0x1021
			} else {
				crc <<= 1
			}
		}
	}
	return int(crc) % 16384
}
