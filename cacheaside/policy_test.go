package cacheaside_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

func TestThePresetsAreValidAndAsDocumented(t *testing.T) {
	t.Parallel()
	ms := time.Millisecond
	for name, pair := range map[string][2]cacheaside.Policy{
		"strict": {cacheaside.StrictPolicy(), {
			MaxInFlightKeys: 256, MaxWaitersPerKey: 64, SourceConcurrency: 16, MaxOverduePerKey: 4,
			AdmissionWait: 100 * ms, LoadDeadline: 1000 * ms, RecordWait: 250 * ms,
			ServeStale:   cacheaside.StaleRules{OnTransient: true},
			Incompatible: cacheaside.FailFast, Future: cacheaside.FailFast, Corrupt: cacheaside.FailFast,
		}},
		"balanced": {cacheaside.BalancedPolicy(), {
			MaxInFlightKeys: 1024, MaxWaitersPerKey: 256, SourceConcurrency: 32, MaxOverduePerKey: 8,
			AdmissionWait: 100 * ms, LoadDeadline: 1000 * ms, RecordWait: 250 * ms, FailureBackoff: 250 * ms,
			ServeStale:   cacheaside.StaleRules{OnTransient: true, OnDeadline: true, RefreshWait: 200 * ms},
			Incompatible: cacheaside.QuarantineAndReload, Future: cacheaside.FailFast, Corrupt: cacheaside.LoadOnly,
		}},
		"survive": {cacheaside.SurvivePolicy(), {
			MaxInFlightKeys: 1024, MaxWaitersPerKey: 1024, SourceConcurrency: 32, MaxOverduePerKey: 8,
			AdmissionWait: 250 * ms, LoadDeadline: 2000 * ms, RecordWait: 250 * ms, FailureBackoff: 1000 * ms,
			ServeStale:   cacheaside.StaleRules{OnTransient: true, OnRejected: true, OnDeadline: true, RefreshWait: cacheaside.DontWait},
			Incompatible: cacheaside.QuarantineAndReload, Future: cacheaside.LoadOnly, Corrupt: cacheaside.LoadOnly,
		}},
	} {
		if err := pair[0].Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if pair[0] != pair[1] {
			t.Errorf("%s is %+v", name, pair[0])
		}
	}
}

func TestEachFaultOfAPolicyNamesFieldValueAndRule(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		field, value string
		change       func(*cacheaside.Policy)
	}{
		{"MaxInFlightKeys", "0", func(p *cacheaside.Policy) { p.MaxInFlightKeys = 0 }},
		{"MaxInFlightKeys", "15", func(p *cacheaside.Policy) { p.MaxInFlightKeys = 15 }},
		{"MaxInFlightKeys", "1048577", func(p *cacheaside.Policy) { p.MaxInFlightKeys = 1<<20 + 1 }},
		{"MaxWaitersPerKey", "-1", func(p *cacheaside.Policy) { p.MaxWaitersPerKey = -1 }},
		{"SourceConcurrency", "0", func(p *cacheaside.Policy) { p.SourceConcurrency = 0 }},
		{"MaxOverduePerKey", "0", func(p *cacheaside.Policy) { p.MaxOverduePerKey = 0 }},
		{"MaxOverduePerKey", "17", func(p *cacheaside.Policy) { p.MaxOverduePerKey = 17 }},
		{"AdmissionWait", "-1ns", func(p *cacheaside.Policy) { p.AdmissionWait = -1 }},
		{"LoadDeadline", "0s", func(p *cacheaside.Policy) { p.LoadDeadline = 0 }},
		{"LoadDeadline", "-1s", func(p *cacheaside.Policy) { p.LoadDeadline = -time.Second }},
		{"LoadDeadline", "24h0m0.000000001s", func(p *cacheaside.Policy) { p.LoadDeadline = 24*time.Hour + 1 }},
		{"RecordWait", "-1ns", func(p *cacheaside.Policy) { p.RecordWait = -1 }},
		{"FailureBackoff", "-1ns", func(p *cacheaside.Policy) { p.FailureBackoff = -1 }},
		{"ServeStale.RefreshWait", "-2ns", func(p *cacheaside.Policy) { p.ServeStale.RefreshWait = -2 }},
		{"Incompatible", "Unknown", func(p *cacheaside.Policy) { p.Incompatible = 0 }},
		{"Incompatible", "LoadOnly", func(p *cacheaside.Policy) { p.Incompatible = cacheaside.LoadOnly }},
		{"Future", "QuarantineAndReload", func(p *cacheaside.Policy) { p.Future = cacheaside.QuarantineAndReload }},
		{"Corrupt", "QuarantineAndReload", func(p *cacheaside.Policy) { p.Corrupt = cacheaside.QuarantineAndReload }},
	} {
		t.Run(row.field+" "+row.value, func(t *testing.T) {
			t.Parallel()
			faulty := cacheaside.StrictPolicy()
			row.change(&faulty)
			var fault *cacheaside.FieldError
			if err := faulty.Validate(); !errors.As(err, &fault) {
				t.Fatalf("got %v", err)
			}
			if fault.Field != row.field || fault.Value != row.value || fault.Rule == "" || !strings.Contains(fault.Error(), row.field) {
				t.Errorf("got %+v", fault)
			}
		})
	}
}

func TestTheZeroPolicyIsRefusedWithAllItsFaults(t *testing.T) {
	t.Parallel()
	err := cacheaside.Policy{}.Validate()
	for _, field := range []string{
		"MaxInFlightKeys", "SourceConcurrency", "MaxOverduePerKey", "LoadDeadline", "Incompatible", "Future", "Corrupt",
	} {
		if err == nil || !strings.Contains(err.Error(), field) {
			t.Errorf("%s is not named in: %v", field, err)
		}
	}
}

func TestARegionIsRefusedWithAllFaultsOfItsConfiguration(t *testing.T) {
	t.Parallel()
	type opaque float64
	_, err := cacheaside.NewRegion(cacheaside.RegionConfig[opaque, string]{Name: "bad name"})
	for _, field := range []string{"Name", "Cache", "KeyString", "MaxInFlightKeys", "Corrupt"} {
		if err == nil || !strings.Contains(err.Error(), field) {
			t.Errorf("%s is not named in: %v", field, err)
		}
	}
	var typedNil *scripted
	_, err = cacheaside.NewRegion(cacheaside.RegionConfig[string, string]{Name: "ok", Cache: typedNil, Policy: cacheaside.StrictPolicy()})
	var fault *cacheaside.FieldError
	if !errors.As(err, &fault) || fault.Field != "Cache" {
		t.Errorf("a nil pointer as a cache: %v", err)
	}
}
