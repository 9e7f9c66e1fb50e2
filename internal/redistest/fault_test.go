package redistest_test

import (
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/internal/redistest"
)

func isReset(err error) bool { return errors.Is(err, syscall.ECONNRESET) }

func isEnd(err error) bool { return err == nil }

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

func TestABlackHoleKeepsARequestAndAllThatFollow(t *testing.T) {
	t.Parallel()
	server, proxy, _ := through(t)
	proxy.Inject(redistest.Fault{Kind: redistest.BlackHole, Commands: []string{"SET"}})
	client := dial(t, proxy.Addr())
	client.send("GET", "k")
	client.expect("$-1\r\n")
	before := proxy.Traffic()
	client.send("SET", "k", "v")
	client.send("GET", "k")
	proxy.WaitForFault(redistest.BlackHole, 1)
	proxy.WaitForCommand("GET", 2)
	assertSilent(t, client)
	if after := proxy.Traffic(); after.ToServer != before.ToServer || after.FromClients == before.FromClients {
		t.Errorf("traffic %+v, then %+v", before, after)
	}
	if n, err := server.Client().Exists(t.Context(), "k").Result(); err != nil || n != 0 {
		t.Errorf("EXISTS = %d, %v", n, err)
	}
	proxy.Heal()
	assertSilent(t, client)
	other := dial(t, proxy.Addr())
	other.send("SET", "k", "v")
	other.expect("+OK\r\n")
}

func TestABlackHoleForEveryCommandStopsTheHandshake(t *testing.T) {
	t.Parallel()
	_, proxy, _ := through(t)
	proxy.Inject(redistest.Fault{Kind: redistest.BlackHole})
	opts := redistest.ClientOptions(proxy.Addr())
	opts.ReadTimeout = 20 * time.Millisecond
	client := redis.NewClient(opts)
	t.Cleanup(func() { _ = client.Close() })
	if err := client.Get(t.Context(), "k").Err(); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("GET = %v, want a timeout", err)
	}
	if n := proxy.Count("GET"); n != 0 || proxy.Count("HELLO") != 1 || proxy.Traffic().ToServer != 0 {
		t.Errorf("counted %v, %+v", proxy.Counts(), proxy.Traffic())
	}
}

// assertSilent fails when anything but silence comes, for a short while: that
// nothing comes is the one thing no event tells.
func assertSilent(t *testing.T, client raw) {
	t.Helper()
	if err := client.SetReadDeadline(time.Now().Add(20 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	n, err := client.Read(make([]byte, 1))
	if !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("read %d bytes, %v; want silence", n, err)
	}
	if err := client.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
		t.Fatal(err)
	}
}

func TestACutLetsTheCommandsBeforeItThrough(t *testing.T) {
	t.Parallel()
	server, proxy, _ := through(t)
	proxy.Inject(redistest.Fault{Kind: redistest.Cut, After: 2, Times: 1})
	client := dial(t, proxy.Addr())
	client.write(encode("INCR", "n") + encode("INCR", "n") + encode("INCR", "n") + encode("INCR", "n"))
	if got, err := client.rest(); err != nil || got != ":1\r\n:2\r\n" {
		t.Errorf("read %q, %v", got, err)
	}
	proxy.WaitForFault(redistest.Cut, 1)
	if got, err := server.Client().Get(t.Context(), "n").Result(); err != nil || got != "2" {
		t.Errorf("the server counts %q, %v", got, err)
	}
	proxy.Inject(redistest.Fault{Kind: redistest.Cut})
	client = dial(t, proxy.Addr())
	client.send("INCR", "n")
	if got, err := client.rest(); err != nil || got != "" {
		t.Errorf("read %q, %v", got, err)
	}
}

func TestARequestThatIsResetOnItsWayIsNotExecuted(t *testing.T) {
	t.Parallel()
	server, proxy, _ := through(t)
	sent := encode("SET", "k", strings.Repeat("v", 100))
	for i, through := range []int{0, 1, 10, 60, len(sent) - 1, len(sent), 1000} {
		proxy.Inject(redistest.Fault{Kind: redistest.ResetMidRequest, Commands: []string{"SET"}, Bytes: through})
		before := proxy.Traffic().ToServer
		client := dial(t, proxy.Addr())
		client.write(sent)
		if got, err := client.rest(); !isReset(err) || got != "" {
			t.Errorf("%d bytes: read %q, %v", through, got, err)
		}
		proxy.WaitForFault(redistest.ResetMidRequest, i+1)
		if got, want := proxy.Traffic().ToServer-before, min(through, len(sent)-2); got != int64(want) {
			t.Errorf("%d bytes: %d reached the server, want %d", through, got, want)
		}
	}
	if n, err := server.Client().Exists(t.Context(), "k").Result(); err != nil || n != 0 {
		t.Errorf("EXISTS = %d, %v", n, err)
	}
	if n := proxy.Count("SET"); n != 7 {
		t.Errorf("counted %d SET", n)
	}
}

func TestAStalledRequestIsExecutedOnceReleased(t *testing.T) {
	t.Parallel()
	server, proxy, _ := through(t)
	proxy.Inject(redistest.Fault{Kind: redistest.StallRequest, Commands: []string{"SET"}, Bytes: 20})
	client := dial(t, proxy.Addr())
	client.send("SET", "k", "value")
	client.send("GET", "k")
	proxy.WaitForFault(redistest.StallRequest, 1)
	if n, err := server.Client().Exists(t.Context(), "k").Result(); err != nil || n != 0 {
		t.Errorf("while stalled EXISTS = %d, %v", n, err)
	}
	proxy.Heal()
	client.expect("+OK\r\n$5\r\nvalue\r\n")
	if n := proxy.Count("SET"); n != 1 {
		t.Errorf("counted %d SET", n)
	}
}

func TestAStalledRequestFillsTheSocketOfALongOne(t *testing.T) {
	t.Parallel()
	_, proxy, _ := through(t)
	proxy.Inject(redistest.Fault{Kind: redistest.StallRequest, Commands: []string{"SET"}})
	opts := redistest.ClientOptions(proxy.Addr())
	opts.WriteTimeout = 50 * time.Millisecond
	client := redis.NewClient(opts)
	t.Cleanup(func() { _ = client.Close() })
	err := client.Set(t.Context(), "k", make([]byte, 32<<20), 0).Err()
	var op *net.OpError
	if !errors.As(err, &op) || op.Op != "write" || !op.Timeout() {
		t.Errorf("SET = %v, want a write timeout", err)
	}
}

func TestRefusedConnectionsAreTakenAgainAtTheSamePort(t *testing.T) {
	t.Parallel()
	_, proxy, client := through(t)
	open := dial(t, proxy.Addr())
	open.send("PING")
	open.expect("+PONG\r\n")
	for range 2 {
		proxy.Inject(redistest.Fault{Kind: redistest.Refuse})
		if err := client.Ping(t.Context()).Err(); !errors.Is(err, syscall.ECONNREFUSED) {
			t.Errorf("PING = %v, want connection refused", err)
		}
	}
	if _, err := open.rest(); !isReset(err) {
		t.Errorf("the open connection ends with %v, want a reset", err)
	}
	proxy.Heal()
	if err := client.Ping(t.Context()).Err(); err != nil {
		t.Errorf("PING after Heal: %v", err)
	}
}

func TestNewConnectionsCanBeResetWhileOpenOnesGoOn(t *testing.T) {
	t.Parallel()
	_, proxy, _ := through(t)
	open := dial(t, proxy.Addr())
	open.send("PING")
	open.expect("+PONG\r\n")
	proxy.Inject(redistest.Fault{Kind: redistest.ResetOnConnect})
	conn, err := net.Dial("tcp", proxy.Addr())
	if err == nil {
		_, err = io.ReadAll(conn)
		_ = conn.Close()
	}
	if !isReset(err) {
		t.Errorf("a new connection ends with %v, want a reset", err)
	}
	open.send("PING")
	open.expect("+PONG\r\n")
	proxy.WaitForFault(redistest.ResetOnConnect, 1)
}

func TestAHalfOpenConnectionEndsForTheServerAlone(t *testing.T) {
	t.Parallel()
	server := listen(t)
	proxy := redistest.StartProxy(t, server.Addr().String())
	client := dial(t, proxy.Addr())
	client.send("PING")
	behind := server.accept()
	behind.expect(encode("PING"))
	behind.write("+PONG\r\n")
	client.expect("+PONG\r\n")

	proxy.Inject(redistest.Fault{Kind: redistest.HalfOpen})
	if got, err := behind.rest(); err != nil || got != "" {
		t.Errorf("the server reads %q, %v; want the end", got, err)
	}
	before := proxy.Traffic().ToServer
	late := dial(t, proxy.Addr())
	for _, half := range []raw{client, late} {
		half.send("PING")
		assertSilent(t, half)
	}
	proxy.WaitForCommand("PING", 3)
	if after := proxy.Traffic().ToServer; after != before {
		t.Errorf("%d bytes reached the server", after-before)
	}
	proxy.WaitForFault(redistest.HalfOpen, 2)
}

func TestTheFirstFaultThatIsDueHitsACommand(t *testing.T) {
	t.Parallel()
	_, proxy, _ := through(t)
	proxy.Inject(
		redistest.Fault{Kind: redistest.SwallowAndKeep, Commands: []string{"INCR"}, After: 1, Times: 2},
		redistest.Fault{Kind: redistest.Truncate, Bytes: 1, Commands: []string{"INCR", "ECHO"}, After: 3},
	)
	client := dial(t, proxy.Addr())
	for range 5 {
		client.send("INCR", "n")
		client.send("PING")
	}
	client.send("ECHO", "not reached by a rule")
	// 1 passes both rules; 2 and 3 are swallowed; 4 and 5 are the second rule's
	// second and third and pass as well; ECHO is its fourth.
	if got, err := client.rest(); err != nil || got != ":1\r\n+PONG\r\n+PONG\r\n+PONG\r\n:4\r\n+PONG\r\n:5\r\n+PONG\r\n$" {
		t.Errorf("read %q, %v", got, err)
	}
}

func TestAFaultThatMakesNoSenseIsRefused(t *testing.T) {
	t.Parallel()
	set := make(chan struct{})
	for field, faults := range map[string][]redistest.Fault{
		"Kind":     {{}, {Kind: 99}},
		"Commands": {{Kind: redistest.Refuse, Commands: []string{"GET"}}},
		"After":    {{Kind: redistest.Cut, After: -1}, {Kind: redistest.HalfOpen, After: 1}},
		"Times":    {{Kind: redistest.Cut, Times: -1}, {Kind: redistest.Refuse, Times: 1}},
		"Bytes":    {{Kind: redistest.Truncate, Bytes: -1}, {Kind: redistest.Hold, Bytes: 1}},
		"Delay":    {{Kind: redistest.Delay}, {Kind: redistest.Delay, Delay: -1}, {Kind: redistest.Hold, Delay: 1}},
		"Until":    {{Kind: redistest.Cut, Until: set}},
	} {
		for _, fault := range faults {
			var refusal *redistest.FaultError
			if err := redistest.Check(fault); !errors.As(err, &refusal) || refusal.Field != field {
				t.Errorf("%+v: %v, want a refusal of %s", fault, err, field)
			} else if !strings.Contains(err.Error(), "Fault."+field+" is ") {
				t.Errorf("%+v: %q does not name the field", fault, err)
			}
		}
	}
}

func TestAProxyEndsWhateverIsHeldWithItsTest(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Options{})
	for _, kind := range []redistest.Kind{redistest.Hold, redistest.StallRequest, redistest.BlackHole, redistest.Delay} {
		t.Run(kind.String(), func(t *testing.T) {
			fault := redistest.Fault{Kind: kind}
			if kind == redistest.Delay {
				fault.Delay = time.Hour
			}
			proxy := redistest.StartProxy(t, server.Addr())
			proxy.Inject(fault)
			dial(t, proxy.Addr()).send("PING")
			proxy.WaitForFault(kind, 1)
		})
	}
}
