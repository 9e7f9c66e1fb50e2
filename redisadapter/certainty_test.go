package redisadapter_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/internal/redistest"
	"github.com/cacheaside/resilience/redisadapter"
)

// retrying are clients whose own retries would send a write again.
func retrying(t *testing.T, addr string) map[string]redis.UniversalClient {
	return map[string]redis.UniversalClient{
		"untouched": newClient(t, &redis.Options{Addr: addr}),
		"retries":   newClient(t, &redis.Options{Addr: addr, ContextTimeoutEnabled: true, MaxRetries: 3}),
		"cluster": closing(t, redis.NewClusterClient(&redis.ClusterOptions{
			Addrs: []string{addr}, ContextTimeoutEnabled: true, MaxRedirects: 3,
			ClusterSlots: func(context.Context) ([]redis.ClusterSlot, error) {
				return []redis.ClusterSlot{{End: 16383, Nodes: []redis.ClusterNode{{Addr: addr}}}}, nil
			},
		})),
	}
}

// write is one way to write, and the command that decides it.
type write struct {
	name, command string
	do            func(c *redisadapter.Cache[string, string], stale cacheaside.Condition) cacheaside.RecordOutcome
	absent        bool // the key must be absent first
}

func writes() []write {
	ctx := context.Background()
	large := strings.Repeat("x", 100<<10)
	return []write{
		{"absent", "SET", func(c *redisadapter.Cache[string, string], _ cacheaside.Condition) cacheaside.RecordOutcome {
			return c.Record(ctx, "k", value("new"), ifAbsent)
		}, true},
		{"replace", "EVALSHA", func(c *redisadapter.Cache[string, string], stale cacheaside.Condition) cacheaside.RecordOutcome {
			return c.Record(ctx, "k", value("new"), stale)
		}, false},
		{"swap", "EVALSHA", func(c *redisadapter.Cache[string, string], stale cacheaside.Condition) cacheaside.RecordOutcome {
			return c.Record(ctx, "k", value(large), stale)
		}, false},
		{"invalidate", "EVALSHA", func(c *redisadapter.Cache[string, string], _ cacheaside.Condition) cacheaside.RecordOutcome {
			return c.Invalidate(ctx, "k")
		}, false},
	}
}

// disturbed is a server behind a proxy, with the scripts loaded.
type disturbed struct {
	t      *testing.T
	server *redistest.Server
	admin  *redis.Client
	proxy  *redistest.Proxy
}

func newDisturbed(t *testing.T) *disturbed {
	server := redistest.Start(t, redistest.Options{})
	d := &disturbed{t: t, server: server, admin: server.Client(), proxy: redistest.StartProxy(t, server.Addr())}
	mock := mockNow()
	cfg := patient(base())
	cfg.Clock = mock
	c := open(t, d.admin, cfg)
	for _, w := range writes() {
		w.do(c, d.stale(w))
	}
	return d
}

// stale makes the store such that the write w would be applied.
func (d *disturbed) stale(w write) cacheaside.Condition {
	d.t.Helper()
	ctx := context.Background()
	d.admin.FlushDB(ctx)
	if w.absent {
		return ifAbsent
	}
	mock := mockNow()
	cfg := patient(base())
	cfg.Clock = mock
	c := open(d.t, d.admin, cfg)
	mustApply(d.t, c.Record(ctx, "k", value("old"), ifAbsent))
	mock.Add(10 * time.Second)
	return ifObserved(wantKind(d.t, c.Lookup(ctx, "k"), cacheaside.LookupStale).Observation)
}

// expectation is what must become of a write under a fault.
type expectation struct {
	faults    []redistest.Fault
	certainty cacheaside.Certainty
	executed  bool // by the server, whatever the client knows
}

func on(command string, kind redistest.Kind, bytes int) redistest.Fault {
	return redistest.Fault{Kind: kind, Commands: []string{command}, Bytes: bytes, Times: 1}
}

func expectations(command string) map[string]expectation {
	unread := redistest.Fault{Kind: redistest.Cut, Commands: []string{"GETRANGE"}}
	return map[string]expectation{
		"reply lost":                {[]redistest.Fault{on(command, redistest.SwallowAndClose, 0)}, cacheaside.RecordApplied, true},
		"reset instead of reply":    {[]redistest.Fault{on(command, redistest.ResetBeforeReply, 0)}, cacheaside.RecordApplied, true},
		"reply lost, nor read back": {[]redistest.Fault{on(command, redistest.SwallowAndClose, 0), unread}, cacheaside.RecordIndeterminate, true},
		"reset, nor read back":      {[]redistest.Fault{on(command, redistest.ResetBeforeReply, 0), unread}, cacheaside.RecordIndeterminate, true},
		"half a reply":              {[]redistest.Fault{on(command, redistest.ResetMidReply, 1), unread}, cacheaside.RecordIndeterminate, true},
		"a truncated reply":         {[]redistest.Fault{on(command, redistest.Truncate, 1), unread}, cacheaside.RecordIndeterminate, true},
		"cut before the server":     {[]redistest.Fault{on(command, redistest.Cut, 0)}, cacheaside.RecordIndeterminate, false},
		"half a request":            {[]redistest.Fault{on(command, redistest.ResetMidRequest, 20)}, cacheaside.RecordIndeterminate, false},
	}
}

func TestC105_AWriteIsDispatchedOnceAndNeverWronglyNotAppliedWhateverTheClientsRetries(t *testing.T) {
	d := newDisturbed(t)
	for kind, client := range retrying(t, d.proxy.Addr()) {
		for _, w := range writes() {
			for name, want := range expectations(w.command) {
				t.Run(kind+"/"+w.name+"/"+name, func(t *testing.T) {
					c := open(t, client, patient(base()))
					d.proxy.Heal()
					condition := d.stale(w)
					wantKind(t, c.Lookup(context.Background(), "warm"), cacheaside.LookupMiss)
					before := d.proxy.Count(w.command)
					d.proxy.Inject(want.faults...)
					out := w.do(c, condition)
					sent := d.proxy.Count(w.command) - before
					if sent != 1 {
						t.Errorf("%d %s were sent", sent, w.command)
					}
					if out.Certainty != want.certainty {
						t.Errorf("%v %v (%v), want %v", out.Certainty, out.Reason, out.Err, want.certainty)
					}
					if out.Certainty == cacheaside.RecordIndeterminate {
						var failure *redisadapter.StoreError
						if !errors.As(out.Err, &failure) || out.HardExpiresAt.IsZero() {
							t.Errorf("outcome %+v", out)
						}
					}
					d.proxy.Heal()
					wantStored(t, d, w, want.executed)
				})
			}
		}
	}
}

// wantStored tells by a healthy client whether the server has executed the write.
func wantStored(t *testing.T, d *disturbed, w write, executed bool) {
	t.Helper()
	c := open(t, d.admin, patient(base()))
	got := c.Lookup(context.Background(), "k")
	stored := got.Kind == cacheaside.LookupFresh && got.Value != "old"
	if w.name == "invalidate" {
		stored = got.Miss == cacheaside.MissInvalidated
	}
	if stored != executed {
		t.Errorf("the store has %v %v %q; executed: %v", got.Kind, got.Miss, got.Value, executed)
	}
}

func TestAStagedValueWhoseReplyIsLostIsNeverSwappedIn(t *testing.T) {
	d := newDisturbed(t)
	w := writes()[2]
	for kind, client := range retrying(t, d.proxy.Addr()) {
		d.proxy.Heal()
		condition := d.stale(w)
		c := open(t, client, patient(base()))
		wantKind(t, c.Lookup(context.Background(), "warm"), cacheaside.LookupMiss)
		sets, scripts := d.proxy.Count("SET"), d.proxy.Count("EVALSHA")
		d.proxy.Inject(on("SET", redistest.SwallowAndClose, 0))
		wantOutcome(t, w.do(c, condition), cacheaside.RecordNotApplied, cacheaside.RecordNeverSent)
		if sets, scripts = d.proxy.Count("SET")-sets, d.proxy.Count("EVALSHA")-scripts; sets != 1 || scripts != 0 {
			t.Errorf("%s: %d SET, %d EVALSHA", kind, sets, scripts)
		}
		d.proxy.Heal()
		wantStored(t, d, w, false)
		for _, key := range d.admin.Keys(context.Background(), "*}:t:*").Val() {
			if ttl := d.admin.PTTL(context.Background(), key).Val(); ttl <= 0 || ttl > 15*time.Second {
				t.Errorf("%s: what is left of the staged value lives %v", kind, ttl)
			}
		}
	}
}

func TestC108_ACancelDuringAWriteIsIndeterminateAndStillTold(t *testing.T) {
	d := newDisturbed(t)
	client := newClient(t, redistest.ClientOptions(d.proxy.Addr()))
	for _, w := range writes() {
		d.proxy.Heal()
		condition := d.stale(w)
		cfg := patient(base())
		cfg.RecordTimeout = redisadapter.DefaultRecordTimeout
		c := open(t, client, cfg)
		wantKind(t, c.Lookup(context.Background(), "warm"), cacheaside.LookupMiss)
		ctx, cancel := context.WithCancel(context.Background())
		d.proxy.Inject(redistest.Fault{Kind: redistest.Hold, Commands: []string{w.command}})
		held := d.proxy.Counts()
		outcome := make(chan cacheaside.RecordOutcome, 1)
		began := time.Now()
		go func() { outcome <- w.under(ctx, c, condition) }()
		d.proxy.WaitForCommand(w.command, held[w.command]+1)
		cancel()
		out := <-outcome
		if took := time.Since(began); took > redisadapter.DefaultRecordTimeout+grace {
			t.Errorf("%s took %v", w.name, took)
		}
		wantOutcome(t, out, cacheaside.RecordIndeterminate, 0)
		if !errors.Is(out.Err, context.Canceled) {
			t.Errorf("%s: %v", w.name, out.Err)
		}
		d.proxy.Heal()
		wantStored(t, d, w, true) // the next lookup is a plain hit, or the tombstone's miss

		sent := d.proxy.Count(w.command)
		wantOutcome(t, w.under(ctx, c, condition), cacheaside.RecordNotApplied, cacheaside.RecordNeverSent)
		if d.proxy.Count(w.command) != sent {
			t.Errorf("%s was sent for a caller who had left", w.name)
		}
	}
}

// under is do on a context of the test.
func (w write) under(ctx context.Context, c *redisadapter.Cache[string, string], condition cacheaside.Condition) cacheaside.RecordOutcome {
	switch w.name {
	case "invalidate":
		return c.Invalidate(ctx, "k")
	case "swap":
		return c.Record(ctx, "k", value(strings.Repeat("x", 100<<10)), condition)
	}
	return c.Record(ctx, "k", value("new"), condition)
}

func TestC109_AfterAnIndeterminateWriteNothingMoreIsSent(t *testing.T) {
	d := newDisturbed(t)
	client := newClient(t, redistest.ClientOptions(d.proxy.Addr()))
	cfg := patient(base())
	cfg.RecordTimeout = redisadapter.DefaultRecordTimeout
	c := open(t, client, cfg)
	ctx := context.Background()
	d.admin.FlushDB(ctx)
	d.proxy.Inject(redistest.Fault{Kind: redistest.BlackHole, Commands: []string{"GETRANGE"}}, on("SET", redistest.SwallowAndClose, 0))
	seen := d.server.Monitor()
	out := c.Record(ctx, "k", value("v1"), ifAbsent)
	wantOutcome(t, out, cacheaside.RecordIndeterminate, 0)
	key := onlyKey(t, d.admin)
	put(t, d.admin, key, "v3 of another writer")
	d.proxy.Heal()
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	wantEntry(t, c.Lookup(ctx, "k"), cacheaside.EntryCorrupt)
	var writes []string
	for _, command := range seen.Commands() {
		if name := command.Name(); len(command.Args) > 1 && command.Args[1] == key && name != "GETRANGE" {
			writes = append(writes, name)
		}
	}
	if len(writes) != 2 {
		t.Errorf("%v of the key; one of them was the other writer's", writes)
	}
	if bytesAt(t, d.admin, key) != "v3 of another writer" {
		t.Error("the other writer's value is gone")
	}
}

func TestAReadBackThatFindsAnotherEntryProvesNothing(t *testing.T) {
	d := newDisturbed(t)
	client := newClient(t, redistest.ClientOptions(d.proxy.Addr()))
	c := open(t, client, patient(base()))
	ctx := context.Background()
	d.admin.FlushDB(ctx)
	// The SET never reaches the server, and another writer is first.
	mustApply(t, open(t, d.admin, patient(base())).Record(ctx, "k", value("other"), ifAbsent))
	reads := d.proxy.Count("GETRANGE")
	d.proxy.Inject(on("SET", redistest.Cut, 0))
	wantOutcome(t, c.Record(ctx, "k", value("mine"), ifAbsent), cacheaside.RecordIndeterminate, 0)
	if n := d.proxy.Count("GETRANGE") - reads; n != 1 {
		t.Errorf("%d read-backs", n)
	}
}

// retryHook sends a failed command again, as users' hooks may.
type retryHook struct{ countingHook }

func (h *retryHook) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		err := next(ctx, cmd)
		if err != nil && cmd.Name() == "set" {
			err = next(ctx, cmd)
		}
		return err
	}
}

func TestAWriteThatAHookSentAgainAndThatMetItselfIsApplied(t *testing.T) {
	d := newDisturbed(t)
	client := newClient(t, redistest.ClientOptions(d.proxy.Addr()))
	client.AddHook(&retryHook{})
	c := open(t, client, patient(base()))
	d.admin.FlushDB(context.Background())
	sets := d.proxy.Count("SET")
	d.proxy.Inject(on("SET", redistest.SwallowAndClose, 0))
	mustApply(t, c.Record(context.Background(), "k", value("v"), ifAbsent))
	if n := d.proxy.Count("SET") - sets; n != 2 {
		t.Errorf("%d SET; the test shows nothing", n)
	}
	wantOutcome(t, c.Record(context.Background(), "k", value("v"), ifAbsent), cacheaside.RecordNotApplied, cacheaside.RecordConditionFailed)
}

func TestAWriteWhoseEndNeverLeftIsNotApplied(t *testing.T) {
	d := newDisturbed(t)
	for name, client := range map[string]*redis.Client{
		"untouched":   newClient(t, &redis.Options{Addr: d.proxy.Addr()}),
		"recommended": newClient(t, redistest.ClientOptions(d.proxy.Addr())),
	} {
		d.proxy.Heal()
		d.admin.FlushDB(context.Background())
		cfg := textConfig()
		cfg.MaxValueBytes, cfg.RecordTimeout = redisadapter.MaxMaxValueBytes, 1500*time.Millisecond
		c := open(t, client, cfg)
		wantKind(t, c.Lookup(context.Background(), "warm"), cacheaside.LookupMiss)
		d.proxy.Inject(redistest.Fault{Kind: redistest.StallRequest, Commands: []string{"SET"}, Bytes: 1000})
		var out cacheaside.RecordOutcome
		value := value(strings.Repeat("x", redisadapter.MaxMaxValueBytes))
		within(t, name, cfg.RecordTimeout+3*time.Second, // of which the digest under the race detector takes most
			func() { out = c.Record(context.Background(), "k", value, ifAbsent) })
		wantOutcome(t, out, cacheaside.RecordNotApplied, cacheaside.RecordNeverSent)
		wantFaultOf(t, out.Err, redisadapter.FaultWrite)
		d.proxy.Heal()
		wantKind(t, c.Lookup(context.Background(), "k"), cacheaside.LookupMiss)
	}
}

func TestALookupIsSentOnceWhateverTheClientsRetries(t *testing.T) {
	d := newDisturbed(t)
	for kind, client := range retrying(t, d.proxy.Addr()) {
		for _, fault := range []redistest.Kind{redistest.SwallowAndClose, redistest.ResetBeforeReply, redistest.Cut} {
			d.proxy.Heal()
			c := open(t, client, patient(base()))
			wantKind(t, c.Lookup(context.Background(), "k"), cacheaside.LookupMiss)
			sent := d.proxy.Count("GETRANGE")
			d.proxy.Inject(on("GETRANGE", fault, 0))
			wantKind(t, c.Lookup(context.Background(), "k"), cacheaside.LookupUnavailable)
			if n := d.proxy.Count("GETRANGE") - sent; n != 1 {
				t.Errorf("%s, %v: %d GETRANGE", kind, fault, n)
			}
		}
	}
}
