package jitter_test

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/cacheaside/resilience/jitter"
)

type vectorFile struct {
	Key     string `json:"key"`
	Factors []struct {
		Revision    string       `json:"revision"`
		Ratio       float64      `json:"ratio"`
		PhysicalKey string       `json:"physical_key"`
		Class       jitter.Class `json:"class"`
		Factor      float64      `json:"factor"`
	} `json:"factors"`
	Lifetimes []struct {
		Policy struct {
			SoftMillis      int64   `json:"soft_ms"`
			HardMillis      int64   `json:"hard_ms"`
			NegativeMillis  int64   `json:"negative_ms"`
			MinHardMillis   int64   `json:"min_hard_ms"`
			TombstoneMillis int64   `json:"tombstone_ms"`
			Ratio           float64 `json:"ratio"`
			Revision        uint32  `json:"revision"`
		} `json:"policy"`
		Fingerprint    string `json:"fingerprint"`
		PhysicalKey    string `json:"physical_key"`
		SoftMillis     int64  `json:"soft_ms"`
		HardMillis     int64  `json:"hard_ms"`
		NegativeMillis int64  `json:"negative_ms"`
	} `json:"lifetimes"`
}

func readVectors(t *testing.T) (file vectorFile, key []byte) {
	t.Helper()
	data, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	key, err = hex.DecodeString(file.Key)
	if err != nil {
		t.Fatal(err)
	}
	return file, key
}

func parseHex(t *testing.T, s string) uint64 {
	t.Helper()
	n, err := strconv.ParseUint(s, 16, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func millis(n int64) time.Duration { return time.Duration(n) * time.Millisecond }

func TestFactorsAreThoseOfThePublishedVectorsToTheLastBit(t *testing.T) {
	t.Parallel()
	file, key := readVectors(t)
	if len(file.Factors) != 144 {
		t.Fatalf("%d vectors, want 144", len(file.Factors))
	}
	for i, v := range file.Factors {
		j, err := jitter.New(key, parseHex(t, v.Revision), v.Ratio)
		if err != nil {
			t.Fatal(err)
		}
		if got := j.Factor(v.PhysicalKey, v.Class); got != v.Factor {
			t.Errorf("vector %d: factor %v, want %v", i, got, v.Factor)
		}
	}
}

func TestLifetimesAndFingerprintsAreThoseOfThePublishedVectors(t *testing.T) {
	t.Parallel()
	file, key := readVectors(t)
	if len(file.Lifetimes) != 48 {
		t.Fatalf("%d vectors, want 48", len(file.Lifetimes))
	}
	for i, v := range file.Lifetimes {
		p := jitter.Policy{
			Soft: millis(v.Policy.SoftMillis), Hard: millis(v.Policy.HardMillis), Negative: millis(v.Policy.NegativeMillis),
			MinHard: millis(v.Policy.MinHardMillis), TombstoneTTL: millis(v.Policy.TombstoneMillis),
			JitterRatio: v.Policy.Ratio, Revision: v.Policy.Revision,
		}
		if got := p.Fingerprint(); got != parseHex(t, v.Fingerprint) {
			t.Errorf("vector %d: fingerprint %016x, want %s", i, got, v.Fingerprint)
		}
		s, err := jitter.NewSchedule(key, p)
		if err != nil {
			t.Fatalf("vector %d: %v", i, err)
		}
		soft, hard := s.Positive(v.PhysicalKey)
		if soft != millis(v.SoftMillis) || hard != millis(v.HardMillis) {
			t.Errorf("vector %d: soft %v, hard %v, want %d ms, %d ms", i, soft, hard, v.SoftMillis, v.HardMillis)
		}
		if got := s.Negative(v.PhysicalKey); got != millis(v.NegativeMillis) {
			t.Errorf("vector %d: negative %v, want %d ms", i, got, v.NegativeMillis)
		}
		if s.Tombstone() != p.TombstoneTTL {
			t.Errorf("vector %d: tombstone %v, want %v", i, s.Tombstone(), p.TombstoneTTL)
		}
	}
}
