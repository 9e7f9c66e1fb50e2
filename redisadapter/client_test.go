package redisadapter_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/internal/redistest"
	"github.com/cacheaside/resilience/redisadapter"
)

// wrapped is a user's own client around another one.
type wrapped struct{ *redis.Client }

// foreignClient hides what kind of client it is.
type foreignClient struct{ redis.UniversalClient }

func closing[C interface{ Close() error }](t testing.TB, client C) C {
	t.Cleanup(func() { _ = client.Close() })
	return client
}

func TestClientsThatCannotKeepThePromisesAreRefusedByTheOption(t *testing.T) {
	nowhere := []string{"127.0.0.1:1"}
	plain := func(change func(*redis.Options)) *redis.Client {
		o := redis.Options{Addr: nowhere[0], ContextTimeoutEnabled: true}
		change(&o)
		return closing(t, redis.NewClient(&o))
	}
	cluster := func(change func(*redis.ClusterOptions)) *redis.ClusterClient {
		o := redis.ClusterOptions{Addrs: nowhere, ContextTimeoutEnabled: true}
		change(&o)
		return closing(t, redis.NewClusterClient(&o))
	}
	ring := func(change func(*redis.RingOptions)) *redis.Ring {
		o := redis.RingOptions{Addrs: map[string]string{"a": nowhere[0]}, ContextTimeoutEnabled: true}
		change(&o)
		return closing(t, redis.NewRing(&o))
	}
	stale := func(c *config) { c.StaleReadsAccepted = true }
	lossy := func(c *config) { c.LostInvalidationsAccepted = true }
	none := func(*config) {}
	off := time.Duration(-2)
	for name, row := range map[string]struct {
		client redis.UniversalClient
		config func(*config)
		field  string // "" = accepted
	}{
		"plain":                        {plain(func(*redis.Options) {}), none, ""},
		"plain, contexts off":          {plain(func(o *redis.Options) { o.ContextTimeoutEnabled = false }), none, ""},
		"plain, reads without end":     {plain(func(o *redis.Options) { o.ReadTimeout = off }), none, ""},
		"embedded":                     {wrapped{plain(func(*redis.Options) {})}, none, ""},
		"embedded, contexts off":       {wrapped{plain(func(o *redis.Options) { o.ContextTimeoutEnabled = false })}, none, "client.Options.ContextTimeoutEnabled"},
		"embedded, reads without end":  {wrapped{plain(func(o *redis.Options) { o.ReadTimeout = off })}, none, "client.Options.ReadTimeout"},
		"embedded, writes without end": {wrapped{plain(func(o *redis.Options) { o.WriteTimeout = off })}, none, "client.Options.WriteTimeout"},
		"cluster":                      {cluster(func(*redis.ClusterOptions) {}), none, ""},
		"cluster, contexts off":        {cluster(func(o *redis.ClusterOptions) { o.ContextTimeoutEnabled = false }), none, "client.Options.ContextTimeoutEnabled"},
		"cluster, reads without end":   {cluster(func(o *redis.ClusterOptions) { o.ReadTimeout = off }), none, "client.Options.ReadTimeout"},
		"cluster, no timeouts":         {cluster(func(o *redis.ClusterOptions) { o.ReadTimeout, o.WriteTimeout = -1, -1 }), none, ""},
		"cluster, read only":           {cluster(func(o *redis.ClusterOptions) { o.ReadOnly = true }), none, "client.Options.ReadOnly"},
		"cluster, by latency":          {cluster(func(o *redis.ClusterOptions) { o.RouteByLatency = true }), lossy, "client.Options.RouteByLatency"},
		"cluster, randomly":            {cluster(func(o *redis.ClusterOptions) { o.RouteRandomly = true }), none, "client.Options.RouteRandomly"},
		"cluster, randomly, accepted":  {cluster(func(o *redis.ClusterOptions) { o.RouteRandomly = true }), stale, ""},
		"ring":                         {ring(func(*redis.RingOptions) {}), stale, "client"},
		"ring, accepted":               {ring(func(*redis.RingOptions) {}), lossy, ""},
		"ring, no timeouts":            {ring(func(o *redis.RingOptions) { o.ReadTimeout, o.WriteTimeout = -1, -1 }), lossy, ""},
		"ring, reads without end":      {ring(func(o *redis.RingOptions) { o.ReadTimeout = off }), lossy, "client.Options.ReadTimeout"},
		"ring, contexts off":           {ring(func(o *redis.RingOptions) { o.ContextTimeoutEnabled = false }), lossy, "client.Options.ContextTimeoutEnabled"},
		"foreign":                      {foreignClient{plain(func(*redis.Options) {})}, none, "client"},
		"nil":                          {nil, none, "client"},
		"a nil pointer":                {(*redis.ClusterClient)(nil), none, "client"},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := base()
			row.config(&cfg)
			err := newErr(row.client, cfg)
			if row.field == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			if fault := wantFault(t, err, row.field); fault.Value == "" || fault.Rule == "" {
				t.Errorf("fault %+v", fault)
			}
		})
	}
}

func TestEachWeakOptionOfAClientIsWarnedOfOnce(t *testing.T) {
	var got []redisadapter.Warning
	cfg := base()
	cfg.Warn = func(w redisadapter.Warning) { got = append(got, w) }
	cfg.StaleReadsAccepted, cfg.LostInvalidationsAccepted = true, true
	optionsOf := func(client redis.UniversalClient) []string {
		t.Helper()
		got = nil
		open(t, client, cfg)
		var list []string
		for _, w := range got {
			if w.Value == "" || w.Consequence == "" || !strings.Contains(w.String(), w.Option) {
				t.Errorf("warning %+v", w)
			}
			list = append(list, w.Option)
		}
		return list
	}
	addr := "127.0.0.1:1"
	for name, row := range map[string]struct {
		client redis.UniversalClient
		want   []string
	}{
		"recommended": {newClient(t, redistest.ClientOptions(addr)), []string{"DialTimeout"}},
		"defaults":    {newClient(t, &redis.Options{Addr: addr}), []string{"DialerRetries", "DialTimeout", "ContextTimeoutEnabled", "MaxRetries"}},
		"short": {
			newClient(t, &redis.Options{Addr: addr, ContextTimeoutEnabled: true, ReadTimeout: 50 * time.Millisecond, DialTimeout: 1, DialerRetries: 1, MaxRetries: -1}),
			[]string{"ReadTimeout", "ReadTimeout, WriteTimeout"},
		},
		"cluster": {
			closing(t, redis.NewClusterClient(&redis.ClusterOptions{Addrs: []string{addr}, ContextTimeoutEnabled: true, RouteRandomly: true, DialTimeout: 1, DialerRetries: 1})),
			[]string{"RouteRandomly"},
		},
		"ring": {
			closing(t, redis.NewRing(&redis.RingOptions{Addrs: map[string]string{"a": addr}, ContextTimeoutEnabled: true, DialTimeout: 1, DialerRetries: 1})),
			[]string{"Ring"},
		},
	} {
		if list := optionsOf(row.client); !slices.Equal(list, row.want) {
			t.Errorf("%s: %q, want %q", name, list, row.want)
		}
	}
}

// countingHook counts the commands it sees, as tracing does.
type countingHook struct{ seen []string }

func (h *countingHook) DialHook(next redis.DialHook) redis.DialHook { return next }
func (h *countingHook) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

func (h *countingHook) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		if cmd.Name() != "hello" {
			h.seen = append(h.seen, cmd.String())
		}
		return next(ctx, cmd)
	}
}

func TestHooksOfAClientThatHeedsContextsSeeTheCacheAndNoPayload(t *testing.T) {
	server := redistest.Start(t, redistest.Options{})
	client := server.Client()
	hook := &countingHook{}
	client.AddHook(hook)
	mock := mockNow()
	cfg := patient(base())
	cfg.Clock = mock
	c := open(t, client, cfg)
	ctx := context.Background()
	for _, text := range []string{"S3CRET", strings.Repeat("S3CRET", 20<<10)} {
		mustApply(t, c.Record(ctx, text[:6], value(text), cacheaside.Condition{Observation: c.Lookup(ctx, text[:6]).Observation}))
		mock.Add(10 * time.Second)
	}
	mustApply(t, c.Invalidate(ctx, "S3CRET"))
	if len(hook.seen) < 6 {
		t.Errorf("the hook saw %d commands", len(hook.seen))
	}
	for _, line := range hook.seen {
		if strings.Contains(line, "S3CRET") || len(line) > 4000 {
			t.Errorf("the hook sees %.200q", line)
		}
	}
}

func TestTheCallersOwnClientKeepsItsOptions(t *testing.T) {
	client := newClient(t, &redis.Options{Addr: "127.0.0.1:1"})
	before := *client.Options()
	open(t, client, base())
	after := *client.Options()
	if before.ContextTimeoutEnabled != after.ContextTimeoutEnabled || before.MaxRetries != after.MaxRetries || before.ReadTimeout != after.ReadTimeout {
		t.Errorf("options changed from %+v to %+v", before, after)
	}
}
