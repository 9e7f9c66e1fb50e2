package envelope_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"strings"
	"sync"
	"testing"

	"github.com/cacheaside/resilience/envelope"
)

// input is the digest's input as the format specifies it, in one slice.
func input(physicalKey string, body []byte) []byte {
	framed := binary.BigEndian.AppendUint16(nil, uint16(len(physicalKey)))
	return append(append(framed, physicalKey...), body...)
}

func TestDigestsFollowTheSpecificationForEveryLength(t *testing.T) {
	t.Parallel()
	secret := []byte("a secret of some length")
	keyed, plain := envelope.HMAC(secret), envelope.SHA256()
	for _, n := range []int{0, 1, 31, 32, 55, 63, 64, 65, 255, 256, 1000, envelope.MaxKeyBytes} {
		physicalKey, body := strings.Repeat("k", n), bytes.Repeat([]byte{7}, 1000-n%1000)
		if got := plain.Sum(physicalKey, body); got != sha256.Sum256(input(physicalKey, body)) {
			t.Errorf("SHA256, key of %d bytes: %x", n, got)
		}
		mac := hmac.New(sha256.New, secret)
		mac.Write(input(physicalKey, body))
		if got := keyed.Sum(physicalKey, body); !bytes.Equal(got[:], mac.Sum(nil)) {
			t.Errorf("HMAC, key of %d bytes: %x", n, got)
		}
	}
}

func TestHMACCopiesItsKey(t *testing.T) {
	t.Parallel()
	secret := []byte("a secret of some length")
	want := envelope.HMAC(bytes.Clone(secret)).Sum(key, nil)
	d := envelope.HMAC(secret)
	clear(secret)
	if got := d.Sum(key, nil); got != want {
		t.Error("the digest changed with the caller's slice")
	}
}

func TestSumPanicsRatherThanLetTheLengthWrap(t *testing.T) {
	t.Parallel()
	for _, d := range []envelope.Digester{envelope.SHA256(), testDigester()} {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			d.Sum(strings.Repeat("k", envelope.MaxKeyBytes+1), nil)
		}()
	}
}

func TestOneDigesterServesManyGoroutines(t *testing.T) {
	t.Parallel()
	for _, d := range []envelope.Digester{envelope.SHA256(), testDigester()} {
		var wg sync.WaitGroup
		for worker := range 8 {
			body := bytes.Repeat([]byte{byte(worker)}, 100*worker)
			want := d.Sum(key, body)
			wg.Go(func() {
				for range 200 {
					if got := d.Sum(key, body); got != want {
						t.Error("a sum was mixed up with another goroutine's")
						return
					}
				}
			})
		}
		wg.Wait()
	}
}
