package redistest_test

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"strconv"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/internal/redistest"
)

// through starts a server and a proxy in front of it.
func through(t *testing.T) (*redistest.Server, *redistest.Proxy, *redis.Client) {
	t.Helper()
	server := redistest.Start(t, redistest.Options{})
	proxy := redistest.StartProxy(t, server.Addr())
	client := redis.NewClient(redistest.ClientOptions(proxy.Addr()))
	t.Cleanup(func() { _ = client.Close() })
	return server, proxy, client
}

func TestAProxyPassesEverythingOnAndCountsIt(t *testing.T) {
	t.Parallel()
	_, proxy, client := through(t)
	value := bytes.Repeat([]byte("a\r\n*1\r\n$"), 1<<17)
	if err := client.Set(t.Context(), "k", value, 0).Err(); err != nil {
		t.Fatal(err)
	}
	got, err := client.Get(t.Context(), "k").Bytes()
	if err != nil || !bytes.Equal(got, value) {
		t.Fatalf("GET = %d bytes, %v; want %d", len(got), err, len(value))
	}
	want := map[string]int{"HELLO": 1, "SET": 1, "GET": 1}
	if got := proxy.Counts(); !maps.Equal(got, want) {
		t.Errorf("counted %v, want %v", got, want)
	}
	traffic := proxy.Traffic()
	if traffic.FromClients != traffic.ToServer || traffic.FromServer != traffic.ToClients {
		t.Errorf("undisturbed traffic differs from side to side: %+v", traffic)
	}
	if traffic.Connections != 1 || traffic.FromClients < int64(len(value)) || traffic.ToClients < int64(len(value)) {
		t.Errorf("traffic %+v", traffic)
	}
}

func TestAProxyKeepsUpWithALongPipeline(t *testing.T) {
	t.Parallel()
	_, proxy, client := through(t)
	const commands = 5000
	value := bytes.Repeat([]byte("v"), 1000)
	pipe := client.Pipeline()
	for i := range commands {
		pipe.Set(t.Context(), strconv.Itoa(i%10), value, 0)
		pipe.Get(t.Context(), strconv.Itoa(i%10))
	}
	if _, err := pipe.Exec(t.Context()); err != nil {
		t.Fatal(err)
	}
	if sets, gets := proxy.Count("SET"), proxy.Count("GET"); sets != commands || gets != commands {
		t.Errorf("counted %d SET and %d GET", sets, gets)
	}
}

func TestAProxyPassesTransactionsAndSubscriptionsOn(t *testing.T) {
	t.Parallel()
	server, proxy, client := through(t)
	cmds, err := client.TxPipelined(t.Context(), func(pipe redis.Pipeliner) error {
		pipe.Incr(t.Context(), "n")
		pipe.Incr(t.Context(), "n")
		return nil
	})
	if err != nil || cmds[1].(*redis.IntCmd).Val() != 2 {
		t.Errorf("MULTI … EXEC = %v, %v", cmds, err)
	}

	subscription := client.Subscribe(t.Context(), "news")
	t.Cleanup(func() { _ = subscription.Close() })
	if _, err := subscription.Receive(t.Context()); err != nil {
		t.Fatal(err)
	}
	proxy.WaitForCommand("SUBSCRIBE", 1)
	if err := server.Client().Publish(t.Context(), "news", "hello").Err(); err != nil {
		t.Fatal(err)
	}
	if message, err := subscription.ReceiveMessage(t.Context()); err != nil || message.Payload != "hello" {
		t.Errorf("received %v, %v", message, err)
	}
}

func TestAProxyPassesFramesOfEveryKindByteForByte(t *testing.T) {
	t.Parallel()
	server := listen(t)
	proxy := redistest.StartProxy(t, server.Addr().String())
	client := dial(t, proxy.Addr())
	client.send("ONE")
	behind := server.accept()
	behind.expect(encode("ONE"))
	const frames = "+s\r\n-E x\r\n:1\r\n_\r\n,1.5\r\n#t\r\n(12345678901234567890\r\n" +
		"$3\r\na\r\n\r\n$-1\r\n$0\r\n\r\n!5\r\nERR x\r\n=7\r\ntxt:a\r\n\r\n" +
		"*-1\r\n*0\r\n*2\r\n*1\r\n:1\r\n$1\r\nx\r\n~1\r\n:1\r\n%1\r\n+k\r\n%1\r\n+a\r\n:1\r\n" +
		"|1\r\n+ttl\r\n:9\r\n$1\r\nx\r\n>2\r\n+invalidate\r\n*1\r\n$1\r\nk\r\n"
	behind.write(frames)
	client.expect(frames)

	// The frames above were one reply and many unasked ones: pairing still holds.
	proxy.Inject(redistest.Fault{Kind: redistest.SwallowAndKeep, Commands: []string{"two"}})
	client.send("TWO")
	client.send("THREE")
	behind.expect(encode("TWO") + encode("THREE"))
	behind.write(">1\r\n+push\r\n" + "*2\r\n$1\r\na\r\n:2\r\n" + "+three\r\n")
	client.expect(">1\r\n+push\r\n+three\r\n")
}

func TestAProxyPassesOnWhatIsNotRESP(t *testing.T) {
	t.Parallel()
	server := listen(t)
	proxy := redistest.StartProxy(t, server.Addr().String())
	for _, garbage := range []string{"HTTP/1.1 400 Bad Request\r\n\r\n", "\x00\xff no line end", "*x\r\n+after\r\n", "$9999999999999999999\r\n"} {
		client := dial(t, proxy.Addr())
		client.send("PING")
		behind := server.accept()
		behind.expect(encode("PING"))
		behind.write(garbage)
		client.expect(garbage)
	}
	for _, garbage := range []string{"*x\r\n", "*2\r\n:1\r\nrest", "*1\r\n$-5\r\nrest", "*1\r\n$4294967296\r\n", "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n:1\r\n"} {
		client := dial(t, proxy.Addr())
		client.write(garbage + "\x00")
		behind := server.accept()
		behind.expect(garbage + "\x00")
	}
}

func TestAProxyTakesInlineAndEmptyRequests(t *testing.T) {
	t.Parallel()
	_, proxy, _ := through(t)
	client := dial(t, proxy.Addr())
	client.write("\r\n*0\r\nset k v\r\n*-1\r\n")
	client.expect("+OK\r\n")
	client.send("get", "k")
	client.expect("$1\r\nv\r\n")
	if got, want := proxy.Counts(), map[string]int{"SET": 1, "GET": 1}; !maps.Equal(got, want) {
		t.Errorf("counted %v, want %v", got, want)
	}
}

func TestTheEndOfEitherSideReachesTheOther(t *testing.T) {
	t.Parallel()
	server := listen(t)
	proxy := redistest.StartProxy(t, server.Addr().String())

	leaving := dial(t, proxy.Addr())
	leaving.send("SET", "k", "v")
	if err := leaving.Close(); err != nil {
		t.Fatal(err)
	}
	behind := server.accept()
	if got, err := behind.rest(); err != nil || got != encode("SET", "k", "v") {
		t.Errorf("the server read %q, %v from a client that has left", got, err)
	}

	left := dial(t, proxy.Addr())
	left.send("PING")
	behind = server.accept()
	behind.expect(encode("PING"))
	behind.write("+PO")
	if err := behind.Close(); err != nil {
		t.Fatal(err)
	}
	if got, err := left.rest(); err != nil || got != "+PO" {
		t.Errorf("the client read %q, %v from a server that has left", got, err)
	}

	cut := dial(t, proxy.Addr())
	cut.send("PING")
	behind = server.accept()
	behind.expect(encode("PING"))
	if err := errors.Join(behind.SetLinger(0), behind.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := cut.rest(); !isReset(err) {
		t.Errorf("the server's reset reads as %v", err)
	}
}

func TestAProxyWithoutAServerResetsItsClients(t *testing.T) {
	t.Parallel()
	server, proxy, client := through(t)
	server.Kill()
	if err := client.Ping(t.Context()).Err(); err == nil {
		t.Error("PING was answered by a dead server")
	}
	server.Restart()
	if err := client.Ping(t.Context()).Err(); err != nil {
		t.Errorf("PING after the restart: %v", err)
	}
	if n := proxy.Traffic().Connections; n != 2 {
		t.Errorf("%d connections", n)
	}
}

func TestConnectionsCanBeClosedAndReset(t *testing.T) {
	t.Parallel()
	_, proxy, _ := through(t)
	closed := dial(t, proxy.Addr())
	closed.send("PING")
	closed.expect("+PONG\r\n")
	proxy.CloseConnections()
	if got, err := closed.rest(); err != nil || got != "" {
		t.Errorf("read %q, %v from a closed connection", got, err)
	}
	reset := dial(t, proxy.Addr())
	reset.send("PING")
	reset.expect("+PONG\r\n")
	proxy.ResetConnections()
	if _, err := reset.rest(); !isReset(err) {
		t.Errorf("read from a reset connection: %v", err)
	}
}

func TestNothingIsOnTheWireForACallThatEndedBefore(t *testing.T) {
	t.Parallel()
	_, proxy, client := through(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := client.Set(ctx, "k", "v", 0).Err(); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if traffic := proxy.Traffic(); traffic.FromClients != 0 || proxy.Count("SET") != 0 {
		t.Errorf("%+v, %v", traffic, proxy.Counts())
	}
}

func TestInjectingNonsenseFailsTheTest(t *testing.T) {
	t.Parallel()
	got := on(t, func(v testing.TB) {
		redistest.StartProxy(v, "127.0.0.1:1").Inject(redistest.Fault{Kind: redistest.Delay})
	})
	if !strings.Contains(got.failed, "Fault.Delay is 0s") {
		t.Errorf("failed with %q", got.failed)
	}
}
