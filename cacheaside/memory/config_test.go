package memory_test

import (
	"errors"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/cacheaside/memory"
)

const maxTTL = 30 * 24 * time.Hour

func TestConfigurationsAreRefusedFieldByField(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		change func(*memory.Config[string, string])
		want   []string
	}{
		"C46 soft above hard":        {func(c *memory.Config[string, string]) { c.TTL.Hard = 6 * time.Second }, []string{"TTL.Soft"}},
		"C46 soft equal to hard":     {func(c *memory.Config[string, string]) { c.TTL.Soft = c.TTL.Hard }, nil},
		"C46 min hard above either":  {func(c *memory.Config[string, string]) { c.TTL.MinHard = time.Hour }, []string{"TTL.MinHard", "TTL.MinHard"}},
		"C46 min hard above one":     {func(c *memory.Config[string, string]) { c.TTL.MinHard = 6 * time.Second }, []string{"TTL.MinHard"}},
		"C58 zero soft":              {func(c *memory.Config[string, string]) { c.TTL.Soft = 0 }, []string{"TTL.Soft"}},
		"C58 zero hard":              {func(c *memory.Config[string, string]) { c.TTL.Hard = 0 }, []string{"TTL.Hard", "TTL.Soft", "TTL.MinHard"}},
		"C58 zero negative":          {func(c *memory.Config[string, string]) { c.TTL.Negative = 0 }, []string{"TTL.Negative", "TTL.MinHard"}},
		"C58 a nanosecond":           {func(c *memory.Config[string, string]) { c.TTL.Soft = 1 }, []string{"TTL.Soft"}},
		"C58 less than nothing":      {func(c *memory.Config[string, string]) { c.TTL.Soft = -1 }, []string{"TTL.Soft"}},
		"C58 least of all":           {func(c *memory.Config[string, string]) { c.TTL.Soft = math.MinInt64 }, []string{"TTL.Soft"}},
		"C58 negative min hard":      {func(c *memory.Config[string, string]) { c.TTL.MinHard = -1 }, []string{"TTL.MinHard"}},
		"C60 just below a millis.":   {func(c *memory.Config[string, string]) { c.TTL.Soft = 999 * time.Microsecond }, []string{"TTL.Soft"}},
		"C60 a millisecond":          {func(c *memory.Config[string, string]) { c.TTL.Soft = time.Millisecond }, nil},
		"C61 thirty days":            {func(c *memory.Config[string, string]) { c.TTL.Hard = maxTTL }, nil},
		"C61 a fraction more":        {func(c *memory.Config[string, string]) { c.TTL.Hard = maxTTL + time.Millisecond - 1 }, nil},
		"C61 a millisecond more":     {func(c *memory.Config[string, string]) { c.TTL.Hard = maxTTL + time.Millisecond }, []string{"TTL.Hard"}},
		"C61 most of all":            {func(c *memory.Config[string, string]) { c.TTL.Negative = math.MaxInt64 }, []string{"TTL.Negative"}},
		"a tombstone left to itself": {func(c *memory.Config[string, string]) { c.TTL.Tombstone = 0 }, nil},
		"a tombstone too short":      {func(c *memory.Config[string, string]) { c.TTL.Tombstone = 1 }, []string{"TTL.Tombstone"}},
		"no min hard":                {func(c *memory.Config[string, string]) { c.TTL.MinHard = 0 }, nil},
		"no entries":                 {func(c *memory.Config[string, string]) { c.MaxEntries = 0 }, []string{"MaxEntries"}},
		"fewer than none":            {func(c *memory.Config[string, string]) { c.MaxEntries = -1 }, []string{"MaxEntries"}},
		"bytes for nothing":          {func(c *memory.Config[string, string]) { c.MaxBytes = memory.EntryCost - 1 }, []string{"MaxBytes"}},
		"bytes for one tombstone":    {func(c *memory.Config[string, string]) { c.MaxBytes = memory.EntryCost }, nil},
		"bytes below nothing":        {func(c *memory.Config[string, string]) { c.MaxBytes = -1 }, []string{"MaxBytes"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := memory.Config[string, string]{TTL: ttl, MaxEntries: 8}
			test.change(&cfg)
			cache, err := memory.New(cfg)
			if got := fieldsOf(t, err); !slices.Equal(got, test.want) {
				t.Errorf("faults of %q, want %q: %v", got, test.want, err)
			}
			if (cache == nil) != (err != nil) {
				t.Errorf("cache %v beside the error %v", cache, err)
			}
		})
	}
}

func TestEveryFaultOfAConfigurationIsToldAtOnce(t *testing.T) {
	t.Parallel()
	_, err := memory.New(memory.Config[int, int]{TTL: memory.TTL{Tombstone: -1, MinHard: -1}, MaxBytes: 1})
	want := []string{"TTL.Soft", "TTL.Hard", "TTL.Negative", "TTL.Tombstone", "TTL.MinHard", "MaxEntries", "MaxBytes"}
	if got := fieldsOf(t, err); !slices.Equal(got, want) {
		t.Errorf("faults of %q, want %q", got, want)
	}
	var fault *cacheaside.FieldError
	if !errors.As(err, &fault) || fault.Value != "0s" || fault.Rule == "" {
		t.Errorf("the first fault is %+v", fault)
	}
}

// fieldsOf names the field of each joined fault, in order.
func fieldsOf(t *testing.T, err error) []string {
	t.Helper()
	if err == nil {
		return nil
	}
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		t.Fatalf("%v is not joined", err)
	}
	var fields []string
	for _, one := range joined.Unwrap() {
		var fault *cacheaside.FieldError
		if !errors.As(one, &fault) {
			t.Fatalf("%v names no field", one)
		}
		fields = append(fields, fault.Field)
	}
	return fields
}
