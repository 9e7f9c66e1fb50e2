package correctness

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/redis/go-redis/v9"
)

// smallestEntry is what tells the entry of a row of 1 KiB from whatever else a library stores.
const smallestEntry = 256

// stored is an entry of a library: its name at the server and its bytes.
type stored struct {
	name  string
	value []byte
}

// store reads a cold key and finds the entry that appeared.
func (s *stage) store(ctx context.Context, client *redis.Client, source *source, key uint64) (stored, error) {
	before, err := s.names(ctx, client)
	if err != nil {
		return stored{}, err
	}
	reader, err := s.open(source, longTTL())
	if err != nil {
		return stored{}, err
	}
	if answer := read(ctx, reader, key, callerDeadline); !answer.Ending.Answered() {
		return stored{}, fmt.Errorf("a cold key was not answered: %s %s", answer.Ending, answer.Reason)
	}
	for range 100 { // some record after they have answered
		after, err := s.names(ctx, client)
		if err != nil {
			return stored{}, err
		}
		for name := range after {
			if before[name] {
				continue
			}
			value, err := client.Get(ctx, name).Bytes()
			if err == nil && len(value) >= smallestEntry {
				return stored{name, value}, nil
			}
		}
		if err := wait(ctx, 10*time.Millisecond); err != nil {
			return stored{}, err
		}
	}
	return stored{}, errors.New("no entry appeared in Redis within a second")
}

func (s *stage) names(ctx context.Context, client *redis.Client) (map[string]bool, error) {
	found := map[string]bool{}
	// Every library's names begin so: nothing of anybody else's is ever touched.
	scan := client.Scan(ctx, 0, s.at.Namespace+":*", 1000).Iterator()
	for scan.Next(ctx) {
		found[scan.Val()] = true
	}
	return found, scan.Err()
}

// flip flips one bit in the middle half, where the row is and not what surrounds it.
func flip(value []byte, random *rand.Rand) []byte {
	value = bytes.Clone(value)
	at := len(value)/4 + random.IntN(len(value)/2)
	value[at] ^= 1 << random.IntN(8)
	return value
}

// half overwrites the second half.
func half(value []byte) []byte {
	value = bytes.Clone(value)
	for i := len(value) / 2; i < len(value); i++ {
		value[i] = '#'
	}
	return value
}
