package live_test

import (
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/live"
	"github.com/cacheaside/resilience/bench/internal/live/redisstore"
	"github.com/cacheaside/resilience/internal/redistest"
)

func TestAUsersRedisIsLeftAsItWas(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Options{Password: "open sesame"})
	client := server.Client()
	for _, key := range []string{"user:1", "stampede-0123456789abcdef:row:1", "lab"} {
		if err := client.Set(t.Context(), key, "theirs", 0).Err(); err != nil {
			t.Fatal(err)
		}
	}
	own := madeUp("own", t.TempDir())
	o := live.Options{
		Redis: server.URL(), Nodes: 1, Callers: 20, Load: 50 * time.Millisecond, Duration: time.Second,
		Contenders: append(these("P0", "P4", "P7"), own),
	}
	found, err := live.Run(t.Context(), o, "S9", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"P0", "P7", own.ID} {
		if run := runOf(t, found, id, ""); run.StoreOperations < 1 {
			t.Errorf("%s: %v operations of the store for each read, want at least 1", id, run.StoreOperations)
		}
	}
	if left := client.DBSize(t.Context()).Val(); left != 3 {
		t.Errorf("%d keys are left, want the 3 that were there: %v", left, client.Keys(t.Context(), "*").Val())
	}
	found, err = live.Run(t.Context(), o, "S7", nil)
	if err != nil || len(found.Runs) != 0 || len(found.Notes) != 1 || !strings.Contains(found.Notes[0], "Not run") {
		t.Errorf("an outage of a user's Redis: %v, %d runs, %q; want a note alone", err, len(found.Runs), found.Notes)
	}
}

func TestOptionsThatCannotBeAreRefused(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		scenario, field string
		change          func(*live.Options)
	}{
		"no Redis":            {"S1", "Redis", func(o *live.Options) { o.Redis = "" }},
		"no nodes":            {"S1", "Nodes", func(o *live.Options) { o.Nodes = -1 }},
		"too many nodes":      {"S1", "Nodes", func(o *live.Options) { o.Nodes = 65 }},
		"too short":           {"S1", "Duration", func(o *live.Options) { o.Duration = time.Millisecond }},
		"a rate below 0":      {"S1", "Rate", func(o *live.Options) { o.Rate = -1 }},
		"one key":             {"S7", "Keys", func(o *live.Options) { o.Keys = 1 }},
		"one caller":          {"S9", "Callers", func(o *live.Options) { o.Callers = 1 }},
		"a load of a minute":  {"S9", "Load", func(o *live.Options) { o.Load = time.Minute }},
		"no contenders":       {"S9", "Contenders", func(o *live.Options) { o.Contenders = []contender.Contender{} }},
		"one contender twice": {"S9", "Contenders", func(o *live.Options) { o.Contenders = append(these("P0"), these("P0")...) }},
		"no such scenario":    {"S99", "scenario", func(*live.Options) {}},
	} {
		o := live.Options{Redis: live.Auto}
		test.change(&o)
		_, err := live.Run(t.Context(), o, test.scenario, func(float64, float64) { t.Errorf("%s: something is started", name) })
		var wrong *live.OptionError
		if !errors.As(err, &wrong) || wrong.Field != test.field || !strings.Contains(err.Error(), test.field+" is ") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want a line about %s", name, err, test.field)
		}
	}
}

func TestAnUnreachableRedisIsToldBeforeAnythingStarts(t *testing.T) {
	t.Parallel()
	unused, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := unused.Addr().String()
	_ = unused.Close()
	o := live.Options{Redis: "redis://user:hunter2@" + nobody + "/0"}
	_, err = live.Run(t.Context(), o, "S1", func(float64, float64) { t.Error("something is started") })
	var unreachable *redisstore.UnreachableError
	if !errors.As(err, &unreachable) || unreachable.Addr != nobody || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("%v, want a line that names %s and no password", err, nobody)
	}
}

func TestARedisServerThatIsNotInstalledIsTold(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv(redistest.EnvServer, "")
	if _, err := live.Run(t.Context(), live.Options{Redis: live.Auto}, "S1", nil); !errors.Is(err, live.ErrNoServer) {
		t.Errorf("%v, want %v", err, live.ErrNoServer)
	}
}
