package redisadapter_test

import (
	"context"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/redisadapter"
)

const day = 24 * time.Hour

func TestEveryFaultOfAConfigurationIsNamedAtOnce(t *testing.T) {
	secret := "a short secret"
	err := newErr(nil, redisadapter.Config[struct{ A int }, string]{
		Namespace: "a:b", Scope: "-", Secret: []byte(secret), MaxValueBytes: 16<<20 + 1,
		LookupTimeout: -1, RecordTimeout: time.Hour, MaxClockSkew: -time.Second,
		TTL: redisadapter.TTLPolicy{Soft: 2, Hard: 1, JitterRatio: math.NaN(), TombstoneTTL: -1},
	})
	found := faultsIn(err)
	for _, field := range []string{
		"Namespace", "Region", "Scope", "Secret", "KeyString", "MaxValueBytes", "LookupTimeout", "RecordTimeout", "MaxClockSkew",
		"TTL.Soft", "TTL.Hard", "TTL.Negative", "TTL.TombstoneTTL", "TTL.JitterRatio", "client",
	} {
		if fault := found[field]; fault == nil || fault.Value == "" || fault.Rule == "" {
			t.Errorf("%s: %v", field, fault)
		}
		delete(found, field)
	}
	if len(found) != 0 {
		t.Errorf("and %v", found)
	}
	if strings.Contains(err.Error(), secret) {
		t.Error("the secret is printed")
	}
}

func TestZeroFieldsMeanTheDocumentedDefaults(t *testing.T) {
	c := open(t, unreachable(t), base())
	want := cacheaside.Lifetimes{MinHard: 5 * time.Second, Tombstone: time.Minute, Lookup: 100 * time.Millisecond, Record: 250 * time.Millisecond}
	if got := c.Lifetimes(); got != want {
		t.Errorf("lifetimes %+v, want %+v", got, want)
	}
}

func TestTheShortestLifeCountsJitterAndItsBound(t *testing.T) {
	for _, row := range []struct{ min, want time.Duration }{{0, 2500 * time.Millisecond}, {4 * time.Second, 4 * time.Second}} {
		cfg := base()
		cfg.TTL.JitterRatio, cfg.TTL.MinHard = 0.5, row.min
		if got := open(t, unreachable(t), cfg).Lifetimes().MinHard; got != row.want {
			t.Errorf("MinHard %v: %v, want %v", row.min, got, row.want)
		}
	}
}

func TestC58_ALifetimeThatIsNoneIsRefusedByNameAndNothingIsDialled(t *testing.T) {
	client := unreachable(t)
	for _, bad := range []time.Duration{0, -1, -time.Second, 1, math.MinInt64, math.MaxInt64} {
		for _, field := range []string{"Soft", "Hard", "Negative"} {
			cfg := base()
			reflect.ValueOf(&cfg.TTL).Elem().FieldByName(field).SetInt(int64(bad))
			wantFault(t, newErr(client, cfg), "TTL."+field)
		}
	}
	cfg := base()
	cfg.TTL = redisadapter.TTLPolicy{}
	for _, field := range []string{"TTL.Soft", "TTL.Hard", "TTL.Negative"} {
		wantFault(t, newErr(client, cfg), field)
	}
	if n := client.PoolStats().Misses; n != 0 {
		t.Errorf("%d connections were asked for", n)
	}
}

func TestC61_LifetimesEndAtThirtyDaysJitterIncluded(t *testing.T) {
	client := unreachable(t)
	for _, row := range []struct {
		hard  time.Duration
		ratio float64
		field string
	}{
		{30 * day, 0, ""},
		{30*day + time.Millisecond, 0, "TTL.Hard"},
		{20 * day, 0.5, ""},
		{20*day + time.Millisecond, 0.5, "TTL.Hard"},
		{math.MaxInt64, 0, "TTL.Hard"},
		{day, 0.51, "TTL.JitterRatio"},
	} {
		cfg := base()
		cfg.TTL.Hard, cfg.TTL.JitterRatio = row.hard, row.ratio
		if row.field != "" {
			wantFault(t, newErr(client, cfg), row.field)
		} else if err := newErr(client, cfg); err != nil {
			t.Errorf("%v with %v: %v", row.hard, row.ratio, err)
		}
	}
}

func TestTheCodecsOwnCheckRefusesTheConfiguration(t *testing.T) {
	err := newErr(unreachable(t), redisadapter.Config[string, any]{
		Namespace: "n", Region: "r", Secret: base().Secret, TTL: base().TTL,
	})
	if err == nil || !strings.Contains(err.Error(), "interface") {
		t.Errorf("values of any type: %v", err)
	}
}

func TestTheSchemaWordTellsTheUsersNumberFromTheShape(t *testing.T) {
	words := map[uint32][2]uint32{}
	for _, pair := range [][2]uint32{{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 1}, {1, 2}, {math.MaxUint32, 0}, {0, math.MaxUint32}} {
		word := redisadapter.SchemaWord(pair[0], pair[1])
		if other, taken := words[word]; taken {
			t.Errorf("%v and %v share a word", pair, other)
		}
		words[word] = pair
	}
	// Stored entries depend on it: SHA-256 over 00000001 00000002.
	if got := redisadapter.SchemaWord(1, 2); got != 0x0f585dd5 {
		t.Errorf("word %08x", got)
	}
}

func TestAClosedCacheStillAnswersAndClosesAgain(t *testing.T) {
	_, client := started(t)
	c := open(t, client, patient(base()))
	for range 2 {
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	mustApply(t, c.Record(context.Background(), "k", value("v"), ifAbsent))
	wantKind(t, c.Lookup(context.Background(), "k"), cacheaside.LookupFresh)
}
