package envelope_test

import (
	"testing"

	"github.com/cacheaside/resilience/envelope"
)

func TestTheDigestTellsWhereTheKeyEndsAndTheEntryBegins(t *testing.T) {
	t.Parallel()
	for name, d := range map[string]envelope.Digester{"SHA256": envelope.SHA256(), "HMAC": envelope.HMAC([]byte("a key of the digest"))} {
		seen := map[[envelope.DigestSize]byte]int{}
		const text = "one text, cut in two"
		for cut := range len(text) + 1 {
			sum := d.Sum(text[:cut], []byte(text[cut:]))
			if other, twice := seen[sum]; twice {
				t.Errorf("%s: a key of %d bytes and one of %d share a digest", name, other, cut)
			}
			seen[sum] = cut
		}
	}
}
