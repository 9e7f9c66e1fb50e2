package redistest_test

import (
	"testing"
	"time"

	"github.com/cacheaside/resilience/internal/redistest"
)

func TestAFaultOfAReplyLeavesTheCommandExecuted(t *testing.T) {
	t.Parallel()
	server, proxy, _ := through(t)
	direct := server.Client()
	for _, test := range []struct {
		kind  redistest.Kind
		bytes int
		reads string
		ends  func(error) bool
	}{
		{redistest.ResetBeforeReply, 0, "", isReset},
		{redistest.ResetMidReply, 3, "$5\r", isReset},
		{redistest.ResetMidReply, 0, "", isReset},
		{redistest.ResetMidReply, 1000, "$5\r\nfirst\r\n", isReset},
		{redistest.Truncate, 6, "$5\r\nfi", isEnd},
		{redistest.Truncate, 0, "", isEnd},
		{redistest.Truncate, 1000, "$5\r\nfirst\r\n", isEnd},
		{redistest.SwallowAndClose, 0, "", isEnd},
	} {
		if err := direct.Set(t.Context(), "k", "first", 0).Err(); err != nil {
			t.Fatal(err)
		}
		proxy.Inject(redistest.Fault{Kind: test.kind, Commands: []string{"GETSET"}, Bytes: test.bytes})
		client := dial(t, proxy.Addr())
		client.send("PING")
		client.expect("+PONG\r\n")
		client.send("GETSET", "k", "second")
		if got, err := client.rest(); !test.ends(err) || got != test.reads {
			t.Errorf("%v of %d bytes: read %q, %v; want %q", test.kind, test.bytes, got, err, test.reads)
		}
		if got, err := direct.Get(t.Context(), "k").Result(); err != nil || got != "second" {
			t.Errorf("%v: the server holds %q, %v", test.kind, got, err)
		}
	}
	if n := proxy.Count("GETSET"); n != 8 {
		t.Errorf("counted %d GETSET", n)
	}
	proxy.WaitForFault(redistest.ResetMidReply, 3)
	proxy.WaitForFault(redistest.Truncate, 3)
}

func TestAHeldReplyWaitsForItsRelease(t *testing.T) {
	t.Parallel()
	server, proxy, client := through(t)
	release := make(chan struct{})
	for name, free := range map[string]func(){
		"its channel": func() { close(release) },
		"Heal":        func() { proxy.Heal() },
		"Inject":      func() { proxy.Inject(redistest.Fault{Kind: redistest.Cut, Commands: []string{"GET"}}) },
	} {
		hold := redistest.Fault{Kind: redistest.Hold, Commands: []string{"SET"}}
		if name == "its channel" {
			hold.Until = release
		}
		proxy.Inject(hold)
		answered := make(chan error, 1)
		held := proxy.Count("SET")
		go func() { answered <- client.Set(t.Context(), "k", name, 0).Err() }()
		proxy.WaitForCommand("SET", held+1)
		proxy.WaitForFault(redistest.Hold, held+1)
		if got, err := server.Client().Get(t.Context(), "k").Result(); err != nil || got != name {
			t.Errorf("while the reply is held the server has %q, %v", got, err)
		}
		select {
		case err := <-answered:
			t.Errorf("released by %s: answered before, with %v", name, err)
		default:
		}
		free()
		if err := <-answered; err != nil {
			t.Errorf("released by %s: %v", name, err)
		}
	}
}

func TestADelayedReplyComesNoSooner(t *testing.T) {
	t.Parallel()
	_, proxy, client := through(t)
	const delay = 30 * time.Millisecond
	proxy.Inject(redistest.Fault{Kind: redistest.Delay, Commands: []string{"PING"}, Delay: delay})
	begun := time.Now()
	if err := client.Ping(t.Context()).Err(); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(begun); took < delay {
		t.Errorf("answered after %v", took)
	}
}

func TestASwallowedReplyDoesNotShiftTheOthers(t *testing.T) {
	t.Parallel()
	_, proxy, _ := through(t)
	proxy.Inject(redistest.Fault{Kind: redistest.SwallowAndKeep, Commands: []string{"incr"}, Times: 1})
	client := dial(t, proxy.Addr())
	client.send("INCR", "n")
	client.send("PING")
	client.send("INCR", "n")
	client.expect("+PONG\r\n:2\r\n")
}
