package redistest_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

// raw is a connection whose bytes a test sees.
type raw struct {
	t testing.TB
	*net.TCPConn
}

func dial(t testing.TB, addr string) raw {
	t.Helper()
	conn, err := net.DialTimeout("tcp", addr, 10*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(10 * time.Second)); err != nil {
		t.Fatal(err)
	}
	return raw{t, conn.(*net.TCPConn)}
}

// send writes one command.
func (c raw) send(args ...string) {
	c.t.Helper()
	c.write(encode(args...))
}

func (c raw) write(bytes string) {
	c.t.Helper()
	if _, err := io.WriteString(c, bytes); err != nil {
		c.t.Fatal(err)
	}
}

// expect reads exactly the bytes that are wanted.
func (c raw) expect(want string) {
	c.t.Helper()
	got := make([]byte, len(want))
	n, err := io.ReadFull(c, got)
	if err != nil || string(got) != want {
		c.t.Fatalf("read %q, %v; want %q", got[:n], err, want)
	}
}

// rest reads to the end of the connection; an orderly end is no error.
func (c raw) rest() (string, error) {
	rest, err := io.ReadAll(c)
	return string(rest), err
}

func encode(args ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "*%d\r\n", len(args))
	for _, arg := range args {
		fmt.Fprintf(&b, "$%d\r\n%s\r\n", len(arg), arg)
	}
	return b.String()
}

// peer is a server of which a test plays the part itself.
type peer struct {
	t testing.TB
	net.Listener
}

func listen(t testing.TB) peer {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	return peer{t, listener}
}

// accept returns the next connection of a client.
func (p peer) accept() raw {
	p.t.Helper()
	conn, err := p.Accept()
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(10 * time.Second)); err != nil {
		p.t.Fatal(err)
	}
	return raw{p.t, conn.(*net.TCPConn)}
}

func isReset(err error) bool { return errors.Is(err, syscall.ECONNRESET) }

// isEnd reports an orderly end, which reading to the end does not report.
func isEnd(err error) bool { return err == nil }

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
