package fleet_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/internal/redistest"
	"github.com/cacheaside/resilience/redisadapter"
)

const userPassword = "not-to-be-told"

// documentedRights are the words that the guide's commands grant, the first one's included.
func documentedRights(t testing.TB) (base, fleet, generations []string) {
	t.Helper()
	words := func(page, pattern string, nth int) []string {
		text, err := os.ReadFile("../../../docs/" + page)
		if err != nil {
			t.Fatal(err)
		}
		lines := regexp.MustCompile(pattern).FindAllString(string(text), -1)
		if nth >= len(lines) {
			t.Fatalf("%s shows %d commands", page, len(lines))
		}
		return strings.Fields(strings.Replace(lines[nth], ">…", ">"+userPassword, 1))[3:]
	}
	base = words("operate-redis.md", `(?m)^ACL SETUSER cache on >… .*$`, 0)
	fleet = words("coordinate-a-fleet.md", `(?m)^ACL SETUSER cache on \+.*$`, 0)
	generations = words("coordinate-a-fleet.md", `(?m)^ACL SETUSER cache on \+.*$`, 1)
	return base, fleet[1:], generations[1:]
}

// as makes the user anew with these rights and gives a cache of the user's.
func as(t *testing.T, server *redistest.Server, rights []string, region string, generations bool) *redisadapter.Cache[string, string] {
	t.Helper()
	admin := server.Client()
	args := []any{"acl", "setuser", "cache"}
	for _, right := range rights {
		args = append(args, right)
	}
	if err := errors.Join(admin.Do(t.Context(), "acl", "deluser", "cache").Err(), admin.Do(t.Context(), args...).Err()); err != nil {
		t.Fatal(err)
	}
	options := server.ClientOptions()
	options.Username, options.Password = "cache", userPassword
	client := redis.NewClient(options)
	t.Cleanup(func() { _ = client.Close() })
	cfg := redisConfig(true)
	cfg.Namespace, cfg.Region, cfg.OrderedRevisions = "atlas", region, true
	if generations {
		cfg.GenerationAge = time.Second
	}
	cache, err := redisadapter.New(client, cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cache.Close() })
	return cache
}

// everything takes each path of a fleet to the server and joins what was refused.
func everything(ctx context.Context, cache *redisadapter.Cache[string, string]) error {
	var faults []error
	want := func(what string, got, want any) {
		if got != want {
			faults = append(faults, fmt.Errorf("%s: %v", what, got))
		}
	}
	large := strings.Repeat("v", 100_000)
	request := func(n byte) cacheaside.RequestID { return cacheaside.RequestID{n} }
	of := func(found cacheaside.Lookup[string]) cacheaside.Generation { return found.Generation }
	grant := func(n byte) (cacheaside.Fence, cacheaside.Generation) {
		found := cache.Lookup(ctx, "key")
		granted := cache.Acquire(ctx, "key", request(n), found.Observation, time.Minute)
		want("acquire", granted.Kind, cacheaside.GrantGranted)
		return granted.Fence, of(found)
	}
	fence, generation := grant(1)
	want("small fill", cache.Fill(ctx, "key", fence, cacheaside.Entry[string]{Value: "v", Generation: generation}, cacheaside.Condition{}).Certainty, cacheaside.RecordApplied)
	want("invalidation", cache.Invalidate(ctx, "key").Certainty, cacheaside.RecordApplied)
	for n, entry := range []cacheaside.Entry[string]{{Value: large}, {Value: large}} {
		fence, entry.Generation = grant(byte(2 + n))
		want("large fill", cache.Fill(ctx, "key", fence, entry, cacheaside.Condition{}).Certainty, cacheaside.RecordApplied)
		if n == 0 {
			want("invalidation", cache.Invalidate(ctx, "key").Certainty, cacheaside.RecordApplied)
		}
	}
	want("put", cache.Put(ctx, "key", cacheaside.Entry[string]{Value: "v", Revision: "1"}).Certainty, cacheaside.RecordApplied)
	if cache.Generations() {
		want("region invalidation", cache.InvalidateRegion(ctx).Certainty, cacheaside.RecordApplied)
	}
	return errors.Join(faults...)
}

func TestTheDocumentedRightsOfAFleetAreEnoughAndEachIsNeeded(t *testing.T) {
	server := redistest.Start(t, redistest.Options{})
	base, fleet, generations := documentedRights(t)
	for name, more := range map[string][]string{"fleet": fleet, "generations": slices.Concat(fleet, generations)} {
		round := 0
		try := func(rights []string) error {
			round++
			return everything(t.Context(), as(t, server, slices.Concat(base, rights), fmt.Sprint(name, round), name == "generations"))
		}
		if err := try(more); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, right := range more {
			if right == "+pttl" {
				continue // without it a fence record's life is set where it need not be
			}
			if err := try(slices.DeleteFunc(slices.Clone(more), func(word string) bool { return word == right })); err == nil {
				t.Errorf("%s: %s is not needed", name, right)
			}
		}
	}
}
