package redisadapter_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/redisadapter"
)

// observations are those of an entry that must be equal and of one whose absence is as good, both no longer stored.
func observations(t *testing.T, client *redis.Client, cfg config) []cacheaside.Condition {
	t.Helper()
	ctx := context.Background()
	mock := mockNow()
	cfg.Clock = mock
	c := open(t, client, cfg)
	mustApply(t, c.Record(ctx, "k", value("v"), ifAbsent))
	mock.Add(10 * time.Second)
	stale := wantKind(t, c.Lookup(ctx, "k"), cacheaside.LookupStale).Observation
	mustApply(t, c.Invalidate(ctx, "k"))
	return []cacheaside.Condition{ifAbsent, ifObserved(stale), ifObserved(c.Lookup(ctx, "k").Observation)}
}

func wantForeign(t *testing.T, out cacheaside.RecordOutcome, condition cacheaside.Condition) {
	t.Helper()
	wantOutcome(t, out, cacheaside.RecordNotApplied, cacheaside.RecordConditionFailed)
	var failure *redisadapter.StoreError
	if condition != ifAbsent && (!errors.As(out.Err, &failure) || failure.Fault != redisadapter.FaultWrongType) {
		t.Errorf("error %v", out.Err)
	}
}

func TestC87_AForeignValueUnderOurNameSurvivesEveryOperation(t *testing.T) {
	_, client := started(t)
	ctx := context.Background()
	conditions := observations(t, client, patient(base()))
	key := onlyKey(t, client)
	c := open(t, client, patient(base()))
	large := strings.Repeat("x", 100<<10)
	for kind, make := range map[string]func(){
		"list": func() { client.RPush(ctx, key, "a", "b", "c") },
		"hash": func() { client.HSet(ctx, key, "f", "v") },
		"set":  func() { client.SAdd(ctx, key, "m") },
		"zset": func() { client.ZAdd(ctx, key, redis.Z{Member: "m"}) },
	} {
		client.FlushAll(ctx)
		make()
		before := client.Dump(ctx, key).Val()
		for range 5 {
			if got := wantEntry(t, c.Lookup(ctx, "k"), cacheaside.EntryForeign); got.Observation != "" || got.Err != nil {
				t.Errorf("%s: %+v", kind, got)
			}
		}
		for _, condition := range conditions {
			wantForeign(t, c.Record(ctx, "k", value("w"), condition), condition)
			wantForeign(t, c.Record(ctx, "k", value(large), condition), condition)
		}
		wantForeign(t, c.Invalidate(ctx, "k"), cacheaside.Condition{Observation: "any"})
		if got := client.Type(ctx, key).Val(); got != kind || client.Dump(ctx, key).Val() != before {
			t.Errorf("the %s is a %s now, or another one", kind, got)
		}
		if keys := client.Keys(ctx, "*").Val(); !slices.Equal(keys, []string{key}) {
			t.Errorf("keys %q", keys)
		}
	}
}

func TestC116_AKeyThatTurnedForeignAfterTheLookupIsLeftAlone(t *testing.T) {
	server, client := started(t)
	ctx := context.Background()
	conditions := observations(t, client, patient(base()))
	key := onlyKey(t, client)
	c := open(t, client, patient(base()))
	client.Del(ctx, key)
	client.RPush(ctx, key, "x")
	seen := server.Monitor()
	for i, condition := range conditions[1:] {
		wantForeign(t, c.Record(ctx, "k", value("w"), condition), condition)
		if n := seen.Count("EVALSHA"); n != i+1 {
			t.Errorf("%d EVALSHA after %d records", n, i+1)
		}
	}
	if got := client.LRange(ctx, key, 0, -1).Val(); !slices.Equal(got, []string{"x"}) {
		t.Errorf("list %q", got)
	}
}
