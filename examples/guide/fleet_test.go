package guide_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/examples/guide"
	"github.com/cacheaside/resilience/internal/redistest"
	"github.com/cacheaside/resilience/redisadapter"
)

func TestAFleetReadsCountriesOnceAndAsksWhatItsServerKeeps(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Options{})
	client := open(t, server.URL())
	ctx := t.Context()
	ttl := redisadapter.TTLPolicy{Soft: time.Minute, Hard: time.Hour, Negative: time.Minute}
	region, err := guide.NewFleetRegion(client, secret, ttl)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []cacheaside.Status{cacheaside.StatusLoaded, cacheaside.StatusFresh} {
		result, err := cacheaside.Get(ctx, region, "JP", func(context.Context, string) cacheaside.SourceOutcome[guide.Country] {
			return cacheaside.Loaded(guide.Country{}, "")
		})
		if err != nil || result.Status != want {
			t.Errorf("%v, %v; want %v", result.Status, err, want)
		}
	}
	if err := guide.PutCountry(ctx, region, "JP", guide.Country{}, "1"); !errors.Is(err, cacheaside.ErrCannotPut) {
		t.Errorf("a put where revisions have no order: %v", err)
	}
	if err := guide.ForgetCountries(ctx, region); !errors.Is(err, cacheaside.ErrCannotInvalidateRegion) {
		t.Errorf("an invalidation of a region without generations: %v", err)
	}
	var durability *redisadapter.DurabilityError
	if _, err := guide.CheckServer(ctx, client); !errors.As(err, &durability) {
		t.Errorf("a server that forgets on a crash: %v", err)
	}
}
