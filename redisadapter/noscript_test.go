package redisadapter_test

import (
	"context"
	_ "embed"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/redisadapter"
)

//go:embed replace.lua
var redisReplaceSource string

//go:embed staged.lua
var redisStagedSource string

func TestC99_ScriptsThatTheServerLostAreSentAgainAndRunOnce(t *testing.T) {
	server, client := started(t)
	mock := mockNow()
	cfg := patient(base())
	cfg.Clock = mock
	c := open(t, client, cfg)
	ctx := context.Background()
	large := strings.Repeat("x", 100<<10)

	flush := func() { client.ScriptFlush(ctx) }
	restart := func() {
		server.Restart()
		client.Ping(ctx) // the connections of before are gone
	}
	for _, lose := range []func(){flush, restart} {
		stored := func(v string) cacheaside.Condition {
			t.Helper()
			client.FlushAll(ctx)
			mustApply(t, c.Record(ctx, "k", value(v), ifAbsent))
			mock.Add(10 * time.Second)
			return ifObserved(wantKind(t, c.Lookup(ctx, "k"), cacheaside.LookupStale).Observation)
		}
		// The condition is seen before the loss where the data outlives it.
		for name, write := range map[string]func(condition cacheaside.Condition) cacheaside.RecordOutcome{
			"replace":    func(o cacheaside.Condition) cacheaside.RecordOutcome { return c.Record(ctx, "k", value("v2"), o) },
			"swap":       func(o cacheaside.Condition) cacheaside.RecordOutcome { return c.Record(ctx, "k", value(large), o) },
			"invalidate": func(cacheaside.Condition) cacheaside.RecordOutcome { return c.Invalidate(ctx, "k") },
		} {
			lose()
			condition := stored("v1")
			lose2 := client.ScriptFlush(ctx).Err()
			if lose2 != nil {
				t.Fatal(lose2)
			}
			seen := server.Monitor()
			if out := write(condition); out.Certainty != cacheaside.RecordApplied {
				t.Fatalf("%s: %v %v %v", name, out.Certainty, out.Reason, out.Err)
			}
			if sha, text := seen.Count("EVALSHA"), seen.Count("EVAL"); sha != 1 || text != 1 {
				t.Errorf("%s: %d EVALSHA, %d EVAL", name, sha, text)
			}
			if n := seen.CountInScripts("SET") + seen.CountInScripts("RENAME"); n != 1 {
				t.Errorf("%s: the script wrote %d times", name, n)
			}
			if out := write(condition); name != "invalidate" && out.Reason != cacheaside.RecordConditionFailed {
				t.Errorf("%s again: %v %v %v", name, out.Certainty, out.Reason, out.Err)
			}
		}
	}
}

func TestScriptsArePlainLuaThatEveryServerRuns(t *testing.T) {
	for _, source := range []string{redisReplaceSource, redisStagedSource} {
		if strings.HasPrefix(source, "#!") {
			t.Error("a shebang is a syntax error for older servers")
		}
		if n := strings.Count(source, "redis.call"); n != 0 {
			t.Errorf("%d redis.call: it raises, and a server in between rewrites the error", n)
		}
	}
}

func TestAStagedValueThatIsLostBeforeItsSwapIsNotApplied(t *testing.T) {
	_, client := started(t)
	cfg := patient(base())
	mock := mockNow()
	cfg.Clock = mock
	ctx := context.Background()
	thief := &stagingThief{Client: client}
	hooked := newClient(t, client.Options())
	hooked.AddHook(thief)
	c := open(t, hooked, cfg)
	mustApply(t, c.Record(ctx, "k", value("v1"), ifAbsent))
	mock.Add(10 * time.Second)
	stale := wantKind(t, c.Lookup(ctx, "k"), cacheaside.LookupStale)
	out := c.Record(ctx, "k", value(strings.Repeat("x", 100<<10)), ifObserved(stale.Observation))
	wantOutcome(t, out, cacheaside.RecordNotApplied, cacheaside.RecordStoreRefused)
	if fault := out.Err.(*redisadapter.StoreError).Fault; fault != redisadapter.FaultStagingLost { //nolint:errorlint // the outer error is meant
		t.Errorf("fault %v", fault)
	}
	if got := wantKind(t, c.Lookup(ctx, "k"), cacheaside.LookupStale); got.Value != "v1" {
		t.Errorf("value %q", got.Value)
	}
	if thief.stolen != 1 {
		t.Errorf("%d staged values were stolen", thief.stolen)
	}
}

// stagingThief deletes staged values once they are there, as an eviction does.
type stagingThief struct {
	*redis.Client
	stolen int
}

func (s *stagingThief) DialHook(next redis.DialHook) redis.DialHook { return next }

func (s *stagingThief) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

func (s *stagingThief) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		err := next(ctx, cmd)
		if name, ok := cmd.Args()[min(1, len(cmd.Args())-1)].(string); ok && cmd.Name() == "set" && strings.Contains(name, "}:t:") {
			s.stolen += int(s.Unlink(ctx, name).Val())
		}
		return err
	}
}
