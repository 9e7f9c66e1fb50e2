package servers_test

import (
	"errors"
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

// documentedForClusters is the command that the page shows for clusters, which adds to the user.
func documentedForClusters(t testing.TB) []string {
	t.Helper()
	page, err := os.ReadFile("../../../docs/operate-redis.md")
	if err != nil {
		t.Fatal(err)
	}
	lines := regexp.MustCompile(`(?m)^ACL SETUSER cache \+.*$`).FindAllString(string(page), -1)
	if len(lines) != 1 {
		t.Fatalf("the page shows %d commands that add to the user for clusters", len(lines))
	}
	return strings.Fields(lines[0])
}

// TestOnAClusterTheDocumentedUserNeedsWhatIsAddedThereAndNothingMore takes the keys of a slot half-way to another node, where a client must be
// allowed to ask.
func TestOnAClusterTheDocumentedUserNeedsWhatIsAddedThereAndNothingMore(t *testing.T) {
	t.Parallel()
	cluster := redistest.StartCluster(t, 2)
	names := newNaming()
	physical := documentedNamespace + strings.TrimPrefix(names.physical(bookRegion, trialKey), namespace)
	slot := slotOf(physical)
	cluster.BeginMove(slot, 1-cluster.Owner(slot)) // of which nothing moves: a key that is absent is asked for at the new owner
	rule, more := documentedUser(t), documentedForClusters(t)
	for _, without := range append([]string{""}, granted(more)...) {
		whole := slices.Concat(rule, slices.DeleteFunc(granted(more), func(word string) bool { return word == without }))
		for _, node := range cluster.Nodes() {
			args := []any{}
			for _, word := range whole {
				args = append(args, word)
			}
			admin := node.Client()
			if err := errors.Join(admin.Do(t.Context(), "acl", "deluser", rule[2]).Err(), admin.Do(t.Context(), args...).Err()); err != nil {
				t.Fatal(err)
			}
		}
		if err := useCluster(t, cluster, rule[2]); (err == nil) != (without == "") {
			t.Errorf("without %q: %v", without, err)
		}
	}
}

// useCluster takes the paths of a key that is on its way, as the user.
func useCluster(t *testing.T, cluster *redistest.Cluster, user string) error {
	t.Helper()
	options := cluster.ClientOptions()
	options.Username, options.Password = user, password
	client := redis.NewClusterClient(options)
	t.Cleanup(func() { _ = client.Close() })
	cfg := cacheConfig(bookRegion, time.Millisecond, 0, new(redisadapter.Breaker))
	cfg.Namespace = documentedNamespace
	t.Cleanup(func() { _ = cfg.Breaker.Close() })
	cache, ctx := openCache(t, client, cfg), t.Context()
	for _, entry := range []cacheaside.Entry[string]{entryOf(trialKey, 1), largeEntry(1)} {
		found := cache.Lookup(ctx, trialKey)
		if found.Err != nil {
			return found.Err
		}
		if found.Kind == cacheaside.LookupFresh { // for one more millisecond
			eventually(t, "a stale entry", func() bool { found = cache.Lookup(ctx, trialKey); return found.Kind != cacheaside.LookupFresh })
		}
		if err := told(cache.Record(ctx, trialKey, entry, cacheaside.Condition{Observation: found.Observation})); err != nil {
			return err
		}
	}
	return told(cache.Invalidate(ctx, trialKey))
}

// TestTheDocumentedUserIsEnoughForTheProbeOfTheBreaker opens the breaker by silence and lets it close by itself.
func TestTheDocumentedUserIsEnoughForTheProbeOfTheBreaker(t *testing.T) {
	t.Parallel()
	p := newPermitted(t)
	p.become(documentedUser(t))
	breaker := new(redisadapter.Breaker)
	t.Cleanup(func() { _ = breaker.Close() })
	cfg := cacheConfig(bookRegion, life, shortLookup, breaker)
	cfg.Namespace = documentedNamespace
	cache, seen := openCache(t, p.user(), cfg), p.server.Monitor()
	if found := cache.Lookup(t.Context(), trialKey); found.Kind != cacheaside.LookupMiss {
		t.Fatal(describeLookup(found), found.Err)
	}
	p.server.Pause()
	eventually(t, "the breaker's opening", func() bool {
		return errors.Is(cache.Lookup(t.Context(), trialKey).Err, redisadapter.ErrBreakerOpen)
	})
	p.server.Resume()
	seen.Reset()
	eventually(t, "the breaker's closing", func() bool { return cache.Lookup(t.Context(), trialKey).Kind == cacheaside.LookupMiss })
	if n := seen.Count("GETRANGE"); n < 2 {
		t.Errorf("%d reads after the silence: no probe and lookup", n)
	}
}
