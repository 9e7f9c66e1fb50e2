package guide_test

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/examples/guide"
	"github.com/cacheaside/resilience/internal/redistest"
	"github.com/cacheaside/resilience/redisadapter"
)

var secret = bytes.Repeat([]byte{7}, redisadapter.MinSecretBytes)

// TestTheDocumentedACLIsEnough makes the user that docs/operate-redis.md tells to make and takes every path to the server as that user.
func TestTheDocumentedACLIsEnough(t *testing.T) {
	t.Parallel()
	client := restricted(t, redistest.Start(t, redistest.Options{}))
	ctx := t.Context()
	cache, err := redisadapter.New(client, redisadapter.Config[string, string]{
		Namespace: "atlas", Region: "text", Secret: secret,
		TTL:           redisadapter.TTLPolicy{Soft: time.Minute, Hard: time.Hour, Negative: time.Minute},
		RecordTimeout: 10 * time.Second, LookupTimeout: 10 * time.Second,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cache.Close() })
	for name, value := range map[string]string{"small": "value", "large": strings.Repeat("value", 100_000)} {
		for _, when := range []string{"over nothing", "over a tombstone"} {
			seen := cache.Lookup(ctx, name)
			outcome := cache.Record(ctx, name, cacheaside.Entry[string]{Value: value}, cacheaside.Condition{Observation: seen.Observation})
			if outcome.Certainty != cacheaside.RecordApplied {
				t.Fatalf("%s value %s: %v, %v, %v", name, when, outcome.Certainty, outcome.Reason, outcome.Err)
			}
			if found := cache.Lookup(ctx, name); found.Kind != cacheaside.LookupFresh || found.Value != value {
				t.Fatalf("%s value %s: looked up %v, %v", name, when, found.Kind, found.Err)
			}
			if outcome := cache.Invalidate(ctx, name); outcome.Certainty != cacheaside.RecordApplied {
				t.Fatalf("%s value: invalidation %v, %v", name, outcome.Certainty, outcome.Err)
			}
		}
	}
}

// restricted gives a client of the documented user, who can do nothing else.
func restricted(t *testing.T, server *redistest.Server) redis.UniversalClient {
	t.Helper()
	page, err := os.ReadFile("../../docs/operate-redis.md")
	if err != nil {
		t.Fatal(err)
	}
	command := regexp.MustCompile(`(?m)^ACL SETUSER cache on >… .*$`).Find(page)
	if command == nil {
		t.Fatal("the page shows no ACL command")
	}
	var words []any
	for word := range strings.FieldsSeq(strings.Replace(string(command), ">…", ">hunter2", 1)) {
		words = append(words, word)
	}
	if err := open(t, server.URL()).Do(t.Context(), words...).Err(); err != nil {
		t.Fatal(err)
	}
	client := open(t, strings.Replace(server.URL(), "redis://", "redis://cache:hunter2@", 1))
	if err := client.Do(t.Context(), "get", "atlas:x").Err(); err == nil || !strings.Contains(err.Error(), "NOPERM") {
		t.Fatalf("the user may do more than documented: %v", err)
	}
	return client
}

func TestTheCountriesAreReadThroughRedis(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Options{})
	cache, err := guide.NewRedisCache(open(t, server.URL()), secret)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cache.Close() })
	_, wrapped := wrapWith(t, cache)
	for range 2 {
		if c, err := wrapped.ByAlpha2(t.Context(), "JP"); err != nil || c.Name != "Japan" {
			t.Errorf("read %q, %v", c.Name, err)
		}
	}
}

func open(t *testing.T, url string) redis.UniversalClient {
	t.Helper()
	client, err := guide.OpenRedis(url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	return client
}
