package redistest_test

import (
	"errors"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/internal/redistest"
)

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
