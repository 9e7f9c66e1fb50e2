package redisadapter_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/internal/redistest"
	"github.com/cacheaside/resilience/redisadapter"
)

func TestInvalidateWorksOnAServerOutOfMemory(t *testing.T) {
	_, client := started(t)
	r := region(t, client, patient(base()))
	read(t, r, "key", newSource(loads("old")).load, cacheaside.StatusLoaded, "old")
	if err := client.ConfigSet(context.Background(), "maxmemory", "1").Err(); err != nil {
		t.Fatal(err)
	}
	invalidate(t, r, "key")
	result := read(t, r, "key", newSource(loads("new")).load, cacheaside.StatusLoaded, "new")
	if result.Record.Reason != cacheaside.RecordStoreRefused {
		t.Fatalf("the server was not out of memory: %+v", result.Record)
	}
}

// TestATombstoneThatTheServerRefusedOnceIsRefusedThoughItsSecondWayWasNeverGone stops the text of the script in a hook.
func TestATombstoneThatTheServerRefusedOnceIsRefusedThoughItsSecondWayWasNeverGone(t *testing.T) {
	_, client := started(t)
	ctx := context.Background()
	c := open(t, client, patient(base()))
	mustApply(t, c.Invalidate(ctx, "key")) // after which the server knows the script
	if err := client.ConfigSet(ctx, "maxmemory", "1").Err(); err != nil {
		t.Fatal(err)
	}
	client.AddHook(&contextHook{stop: "eval"})
	out := c.Invalidate(ctx, "key")
	wantOutcome(t, out, cacheaside.RecordNotApplied, cacheaside.RecordStoreRefused)
	wantFaultOf(t, out.Err, redisadapter.FaultOutOfMemory)
}

func TestAServerThatCannotBeToldToAllowATombstoneStillSaysThatItIsFull(t *testing.T) {
	var evals atomic.Int32
	stub := redistest.StartStub(t, func(args [][]byte) []byte {
		switch string(args[0]) {
		case "EVALSHA":
			return []byte("-OOM command not allowed when used memory > 'maxmemory'.\r\n")
		case "EVAL":
			evals.Add(1)
			return []byte("-ERR Error compiling script (new function): user_script:1: unexpected symbol near '#'\r\n")
		}
		return []byte("+OK\r\n")
	})
	client := clientWith(t, redistest.ClientOptions(stub.Addr()))
	got := open(t, client, patient(base())).Invalidate(context.Background(), "key")
	wantOutcome(t, got, cacheaside.RecordNotApplied, cacheaside.RecordStoreRefused)
	if evals.Load() != 1 {
		t.Fatalf("asked %d times", evals.Load())
	}
}

func TestACommandForbiddenInsideAScriptIsARefusal(t *testing.T) {
	server, client := started(t)
	cfg := patient(base())
	mustApply(t, open(t, client, cfg).Record(context.Background(), "key", value("old"), ifAbsent))
	ctx := context.Background()
	if err := client.Do(ctx, "acl", "setuser", "narrow", "on", ">secret", "~*", "+getrange", "+eval", "+evalsha", "+hello", "+auth").Err(); err != nil {
		t.Fatal(err)
	}
	options := redistest.ClientOptions(server.Addr())
	options.Username, options.Password = "narrow", "secret"
	got := open(t, clientWith(t, options), cfg).Invalidate(ctx, "key")
	wantOutcome(t, got, cacheaside.RecordNotApplied, cacheaside.RecordStoreRefused)
}

// hook is a hook of a client that sees or throws what a test wants.
type hook func(cmd redis.Cmder, err error)

func (h hook) DialHook(next redis.DialHook) redis.DialHook { return next }
func (h hook) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		err := next(ctx, cmd)
		h(cmd, err)
		return err
	}
}
func (h hook) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

func TestNoCommandPrintsWhatItCarries(t *testing.T) {
	server, _ := started(t)
	client := clientWith(t, redistest.ClientOptions(server.Addr()))
	var mu sync.Mutex
	var texts []string
	client.AddHook(hook(func(cmd redis.Cmder, _ error) {
		mu.Lock()
		defer mu.Unlock()
		texts = append(texts, fmt.Sprint(cmd), fmt.Sprintf("%v %s %+v", cmd, cmd, cmd.Args()), cmd.String())
	}))
	cfg := patient(base())
	mock := mockNow()
	cfg.Clock = mock
	r := region(t, client, cfg)
	read(t, r, "SECRETKEY", newSource(loads("SECRETPAYLOAD 1")).load, cacheaside.StatusLoaded, "SECRETPAYLOAD 1")
	read(t, r, "SECRETKEY", notCalled(t), cacheaside.StatusFresh, "SECRETPAYLOAD 1")
	mock.Add(15 * time.Second)
	read(t, r, "SECRETKEY", newSource(loads("SECRETPAYLOAD 2")).load, cacheaside.StatusLoaded, "SECRETPAYLOAD 2")
	large := "SECRETPAYLOAD" + strings.Repeat("x", 100<<10)
	mock.Add(15 * time.Second)
	read(t, r, "SECRETKEY", newSource(loads(large)).load, cacheaside.StatusLoaded, large)
	invalidate(t, r, "SECRETKEY")
	mu.Lock()
	defer mu.Unlock()
	if len(texts) < 18 {
		t.Fatalf("only %d texts", len(texts))
	}
	for _, text := range texts {
		if strings.Contains(text, "SECRET") || len(text) > 4000 {
			t.Fatalf("printed: %.200s", text)
		}
	}
}

func TestAHookThatThrowsInTheProbeDoesNotEndTheProcess(t *testing.T) {
	var throwing atomic.Bool
	var thrown atomic.Int32
	client := clientWith(t, redistest.ClientOptions(unreachable(t).Options().Addr)) // no clone, so that its hooks are called
	client.AddHook(hook(func(redis.Cmder, error) {
		if throwing.Load() {
			thrown.Add(1)
			panic("hook")
		}
	}))
	cfg := base()
	cfg.Breaker = new(redisadapter.Breaker)
	c := open(t, client, cfg)
	for range 3 {
		c.Lookup(context.Background(), "key")
	}
	throwing.Store(true)
	if err := waitFor(t, func() bool { return thrown.Load() >= 2 }); err != nil {
		t.Fatal(err)
	}
	if found := c.Lookup(context.Background(), "key"); !errors.Is(found.Err, redisadapter.ErrBreakerOpen) {
		t.Fatalf("the breaker closed on a probe that threw: %v", found.Err)
	}
	if err := cfg.Breaker.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestAURLThatWouldReadFromReplicasOrPanicIsRefused(t *testing.T) {
	t.Parallel()
	for _, url := range []string{
		"redis://h:1?master_name=m&addr=h:1&route_by_latency=true", "redis://h:1?master_name=m&addr=h:1&route_randomly=true",
		"redis://h:1?master_name=m&addr=h:1&replica_only=true", "redis://h?pool_size=-1",
	} {
		client, err := redisadapter.OpenClient(url)
		var fault *cacheaside.FieldError
		if !errors.As(err, &fault) || fault.Field != "url" || client != nil {
			t.Errorf("%s: %v, %v", url, client, err)
		}
	}
}

func TestATypeThatEmbedsANilClientIsRefused(t *testing.T) {
	t.Parallel()
	type wrapped struct{ *redis.Client }
	for _, client := range []redis.UniversalClient{wrapped{}, &wrapped{}} {
		wantFault(t, newErr(client, base()), "client")
	}
}

func TestACancelIsNoticedInTheQueueForAConnection(t *testing.T) {
	server, _ := started(t)
	options := redistest.ClientOptions(server.Addr())
	options.PoolSize, options.MaxActiveConns, options.PoolTimeout = 1, 1, time.Minute
	client := clientWith(t, options)
	cfg := base()
	cfg.LookupTimeout = 30 * time.Second
	c := open(t, client, cfg)
	held := client.Conn()
	defer held.Close()
	if err := held.Ping(context.Background()).Err(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(20*time.Millisecond, cancel)
	begun := time.Now()
	found := c.Lookup(ctx, "key")
	if took := time.Since(begun); found.Kind != cacheaside.LookupUnavailable || !errors.Is(found.Err, context.Canceled) || took > busySlack {
		t.Fatalf("got %v, %v after %v", found.Kind, found.Err, took)
	}
}

// ownBytes is a codec that breaks the rule and hands out bytes of its own.
type ownBytes struct{ held []byte }

func (o *ownBytes) Append([]byte, string) ([]byte, error)     { return o.held, nil }
func (o *ownBytes) Decode(payload []byte, into *string) error { *into = string(payload); return nil }
func (o *ownBytes) Shape() uint32                             { return 0 }

func TestWhatACodecHandsOutIsNeverWrittenTo(t *testing.T) {
	_, client := started(t)
	cfg := patient(base())
	codec := &ownBytes{held: []byte("the codec's own live bytes")}
	cfg.Codec = codec
	c := open(t, client, cfg)
	for _, key := range []string{"a", "b", "c", "d"} {
		mustApply(t, c.Record(context.Background(), key, value(key), ifAbsent))
		codec.held = append([]byte(nil), codec.held...)
		if string(codec.held) != "the codec's own live bytes" {
			t.Fatalf("overwritten: %q", codec.held)
		}
	}
}

func TestAReplyThatAnnouncesAHugeArrayCostsNoMemory(t *testing.T) {
	stub := redistest.StartStub(t, func(args [][]byte) []byte {
		switch string(args[0]) {
		case "SET", "EVALSHA", "EVAL", "GETRANGE":
			return []byte("*2147483647\r\n")
		}
		return []byte("+OK\r\n")
	})
	c := open(t, clientWith(t, redistest.ClientOptions(stub.Addr())), patient(base()))
	ctx := context.Background()
	for name, got := range map[string]cacheaside.RecordOutcome{
		"record": c.Record(ctx, "key", value("v"), ifAbsent), "invalidate": c.Invalidate(ctx, "key"),
	} {
		if got.Certainty != cacheaside.RecordIndeterminate {
			t.Errorf("%s: %v %v %v", name, got.Certainty, got.Reason, got.Err)
		}
	}
	if found := c.Lookup(ctx, "key"); found.Kind != cacheaside.LookupUnavailable {
		t.Errorf("lookup: %v", found.Kind)
	}
}

func TestAServerThatHangsUpDuringTheHandshakeOpensTheBreaker(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var accepting sync.WaitGroup
	var dialled atomic.Int32
	accepting.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			dialled.Add(1)
			_ = conn.(*net.TCPConn).SetLinger(0)
			_ = conn.Close()
		}
	})
	t.Cleanup(func() { _ = listener.Close(); accepting.Wait() })
	client := clientWith(t, &redis.Options{Addr: listener.Addr().String()})
	c := open(t, client, base())
	opened := false
	for range 30 {
		if found := c.Lookup(context.Background(), "key"); errors.Is(found.Err, redisadapter.ErrBreakerOpen) {
			opened = true
			break
		}
	}
	if !opened {
		t.Fatalf("30 lookups dialled a server that hangs up %d times", dialled.Load())
	}
}
