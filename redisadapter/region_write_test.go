package redisadapter_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/internal/redistest"
)

// disturbedRegion is a region through a proxy, with a client that would retry if it were let, and a client of the server itself.
func disturbedRegion(t *testing.T, change ...func(*cacheaside.RegionConfig[string, string])) (*cacheaside.Region[string, string], *redistest.Proxy, *redistest.Server) {
	t.Helper()
	server, _ := started(t)
	proxy := redistest.StartProxy(t, server.Addr())
	cfg := base()
	cfg.LookupTimeout, cfg.RecordTimeout = 10*time.Second, 300*time.Millisecond
	client := through(t, proxy, true)
	r := region(t, client, cfg, change...)
	read(t, r, "to open a connection", newSource(loads("v")).load, cacheaside.StatusLoaded, "v")
	return r, proxy, server
}

func TestC105_ARecordWhoseReplyWasLostIsSentOnceAndSettledByReadingItBack(t *testing.T) {
	r, proxy, _ := disturbedRegion(t)
	sets := proxy.Count("SET")
	proxy.Inject(redistest.Fault{Kind: redistest.SwallowAndClose, Commands: []string{"SET"}, Times: 1})
	result := read(t, r, "key", newSource(loads("value")).load, cacheaside.StatusLoaded, "value")
	if result.Record.Certainty != cacheaside.RecordApplied {
		t.Errorf("record %v %v %v", result.Record.Certainty, result.Record.Reason, result.Record.Err)
	}
	if sent := proxy.Count("SET") - sets; sent != 1 {
		t.Errorf("sent %d times", sent)
	}
	read(t, r, "key", notCalled(t), cacheaside.StatusFresh, "value")
}

func TestAValueInHandIsReturnedThoughItsRecordIsIndeterminate(t *testing.T) {
	r, proxy, server := disturbedRegion(t)
	proxy.Inject(redistest.Fault{Kind: redistest.BlackHole, Commands: []string{"SET"}})
	result := read(t, r, "key", newSource(loads("value")).load, cacheaside.StatusLoaded, "value")
	if result.Record.Certainty != cacheaside.RecordIndeterminate || result.Record.Err == nil {
		t.Fatalf("record %v %v %v", result.Record.Certainty, result.Record.Reason, result.Record.Err)
	}
	if keys := server.Client().DBSize(context.Background()).Val(); keys != 1 {
		t.Fatalf("%d keys", keys)
	}
}

func TestC108_ACallerThatLeavesDuringTheWriteGetsTheValueItsLoaderReturned(t *testing.T) {
	r, proxy, _ := disturbedRegion(t)
	sets := proxy.Count("SET")
	release := make(chan struct{})
	proxy.Inject(redistest.Fault{Kind: redistest.Hold, Commands: []string{"SET"}, Until: release})
	ctx, cancel := context.WithCancel(context.Background())
	type answer struct {
		result cacheaside.Result[string]
		err    error
	}
	ended := make(chan answer, 1)
	go func() {
		result, err := cacheaside.Get(ctx, r, "key", newSource(loads("value")).load)
		ended <- answer{result, err}
	}()
	proxy.WaitForCommand("SET", sets+1)
	cancel()
	got := <-ended
	if got.err != nil || got.result.Value != "value" || got.result.Status != cacheaside.StatusLoaded ||
		got.result.Record.Certainty != cacheaside.RecordIndeterminate || got.result.Record.Reason != cacheaside.RecordPending {
		t.Fatalf("got %+v, %v", got.result, got.err)
	}
	close(release)
	if err := waitFor(t, func() bool { return r.Stats().RunningRecords == 0 }); err != nil {
		t.Fatal(err)
	}
	read(t, r, "key", notCalled(t), cacheaside.StatusFresh, "value")
}

func TestC109_NothingFollowsAnIndeterminateRecord(t *testing.T) {
	r, proxy, server := disturbedRegion(t)
	client := server.Client()
	// The record is executed, its reply is lost, and so is that of the one read-back.
	proxy.Inject(redistest.Fault{Kind: redistest.SwallowAndClose, Commands: []string{"SET", "GETRANGE"}, After: 1})
	result := read(t, r, "key", newSource(loads("v1")).load, cacheaside.StatusLoaded, "v1")
	if result.Record.Certainty != cacheaside.RecordIndeterminate {
		t.Fatalf("record %v %v %v", result.Record.Certainty, result.Record.Reason, result.Record.Err)
	}
	proxy.Heal()
	other := patient(base())
	mock := mockNow()
	mock.Add(15 * time.Second)
	other.Clock = mock
	elsewhere := region(t, client, other)
	read(t, elsewhere, "key", newSource(loads("v3")).load, cacheaside.StatusLoaded, "v3")
	seen := server.Monitor()
	if err := waitFor(t, func() bool { return r.Stats().RunningRecords == 0 }); err != nil {
		t.Fatal(err)
	}
	wantOnly(t, seen)
	read(t, elsewhere, "key", notCalled(t), cacheaside.StatusFresh, "v3")
}

func TestAnOversizeValueIsAnsweredNotSentAndTheOldEntryStays(t *testing.T) {
	server, client := started(t)
	cfg := patient(base())
	mock := mockNow()
	cfg.Clock, cfg.MaxValueBytes = mock, 1000
	r := region(t, client, cfg)
	read(t, r, "key", newSource(loads("old")).load, cacheaside.StatusLoaded, "old")
	mock.Add(15 * time.Second)
	physical := onlyKey(t, client)
	before := bytesAt(t, client, physical)
	seen := server.Monitor()
	large := string(make([]byte, 1001))
	result := read(t, r, "key", newSource(loads(large)).load, cacheaside.StatusLoaded, large)
	var fault *cacheaside.FieldError
	if result.Record.Certainty != cacheaside.RecordNotApplied || result.Record.Reason != cacheaside.RecordTooLarge || !errors.As(result.Record.Err, &fault) {
		t.Fatalf("record %v %v %v", result.Record.Certainty, result.Record.Reason, result.Record.Err)
	}
	wantOnly(t, seen, "GETRANGE")
	if bytesAt(t, client, physical) != before {
		t.Fatal("the old entry changed")
	}
	read(t, r, "key", newSource(fails()).load, cacheaside.StatusStale, "old")
}

func TestC103_AnExhaustedPoolAndAClosedClientAreOutagesAndNoMisses(t *testing.T) {
	_, client := started(t)
	cfg := base()
	cfg.LookupTimeout = 50 * time.Millisecond
	options := redistest.ClientOptions(client.Options().Addr)
	options.PoolSize, options.MaxActiveConns = 1, 1
	narrow := clientWith(t, options)
	r := region(t, narrow, cfg)
	ctx, cancel := context.WithCancel(context.Background())
	busy := make(chan error, 1)
	conn := narrow.Conn()
	go func() { busy <- conn.BLPop(ctx, 0, "nothing").Err() }()
	if err := waitFor(t, func() bool { return blocked(t, client) }); err != nil {
		t.Fatal(err)
	}
	s := newSource(loads("value"))
	for range 5 {
		begun := time.Now()
		read(t, r, "key", s.load, cacheaside.StatusLoaded, "value")
		if took := time.Since(begun); took > busySlack {
			t.Errorf("took %v", took)
		}
	}
	s.wantCalls(t, 5)
	cancel()
	client.RPush(context.Background(), "nothing", "x")
	<-busy
	_ = conn.Close()
	_ = narrow.Close()
	read(t, r, "key", s.load, cacheaside.StatusLoaded, "value")
	s.wantCalls(t, 6)
}
