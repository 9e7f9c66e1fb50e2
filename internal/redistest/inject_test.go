package redistest_test

import (
	"errors"
	"io"
	"net"
	"syscall"
	"testing"

	"github.com/cacheaside/resilience/internal/redistest"
)

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
