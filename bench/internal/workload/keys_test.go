package workload_test

import (
	"math"
	"testing"

	"github.com/cacheaside/resilience/bench/internal/workload"
)

func TestKeysAreAskedForByTheirShares(t *testing.T) {
	tests := []struct {
		name     string
		keys     int
		exponent float64
		ratio    float64 // of the share of the first key to that of the fourth
	}{{"Zipf", 1000, 1, 4}, {"steep", 1000, 2, 16}, {"uniform", 1000, 0, 1}, {"few", 4, 1, 4}}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := workload.Zipf(test.keys, test.exponent)
			counts := make([]float64, test.keys)
			for n := range uint64(draws) {
				counts[d.Key(workload.Uniform(1, workload.Keys, n))]++
			}
			whole := 0.0
			for key := range uint64(test.keys) {
				share := d.Share(key)
				whole += share
				if expected := share * draws; !near(counts[key], expected, 5*math.Sqrt(expected)+1) {
					t.Errorf("key %d was drawn %v times, want about %v", key, counts[key], expected)
				}
			}
			if !near(whole, 1, 1e-9) || !near(d.Share(0)/d.Share(3), test.ratio, 1e-6) || d.Keys() != test.keys {
				t.Errorf("the shares add up to %v, and the first is %v times the fourth, want 1 and %v", whole, d.Share(0)/d.Share(3), test.ratio)
			}
		})
	}
}

func TestTheEndsOfTheUnitIntervalAreKeysToo(t *testing.T) {
	for _, keys := range []int{1, 2, 20_000} {
		d := workload.Zipf(keys, 1)
		if first, last := d.Key(0), d.Key(math.Nextafter(1, 0)); first != 0 || last != uint64(keys-1) || d.Key(1) != last {
			t.Errorf("of %d keys 0 is %d and almost 1 is %d", keys, first, last)
		}
	}
}

func TestChurnReplacesItsPartOfTheHottestKeysEvenlyAndForGood(t *testing.T) {
	churn := workload.Churn{Part: 2.0 / 3, Hottest: 2000, Keys: 20_000}
	before := 0
	for tenth := range 11 {
		part := float64(tenth) / 10
		replaced := 0
		for key := range uint64(20_000) {
			switch now := churn.Now(1, key, part); {
			case now == key+20_000 && key < 2000:
				replaced++
			case now != key:
				t.Fatalf("key %d became %d", key, now)
			}
			if tenth > 0 && churn.Now(1, key, part-0.1) != key && churn.Now(1, key, part) == key {
				t.Fatalf("key %d came back", key)
			}
		}
		if want := 2000 * churn.Part * part; !near(float64(replaced), want, 80) || replaced < before {
			t.Errorf("at %v of the run %d of the hottest keys are replaced, want about %v", part, replaced, want)
		}
		before = replaced
	}
	if none := (workload.Churn{Hottest: 2000, Keys: 20_000}); none.Now(1, 3, 1) != 3 {
		t.Error("without churn a key is replaced")
	}
}
