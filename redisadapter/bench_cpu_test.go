package redisadapter_test

import (
	"bytes"
	"context"
	"net"
	"strconv"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/vmihailenco/msgpack/v5"

	"github.com/cacheaside/resilience/redisadapter"
)

// cannedConn is a connection to a server that gives one answer to everything but the handshake, so that a benchmark over it measures the work of
// this process alone.
type cannedConn struct {
	net.Conn
	answer []byte
	left   []byte
}

func (c *cannedConn) Write(p []byte) (int, error) {
	c.left = c.answer
	if bytes.Contains(p, []byte("hello")) {
		c.left = []byte("-ERR unknown command\r\n")
	}
	return len(p), nil
}

func (c *cannedConn) Read(p []byte) (int, error) {
	n := copy(p, c.left)
	c.left = c.left[n:]
	return n, nil
}

func (c *cannedConn) SetDeadline(time.Time) error      { return nil }
func (c *cannedConn) SetReadDeadline(time.Time) error  { return nil }
func (c *cannedConn) SetWriteDeadline(time.Time) error { return nil }
func (c *cannedConn) Close() error                     { return nil }
func (c *cannedConn) RemoteAddr() net.Addr             { return &net.TCPAddr{} }

func canned(b *testing.B, raw string) *redis.Client {
	answer := []byte("$" + strconv.Itoa(len(raw)) + "\r\n" + raw + "\r\n")
	client := redis.NewClient(&redis.Options{
		Addr: "canned:0", Protocol: 2, DisableIdentity: true, PoolSize: 1,
		Dialer: func(context.Context, string, string) (net.Conn, error) { return &cannedConn{answer: answer}, nil },
	})
	b.Cleanup(func() { _ = client.Close() })
	return client
}

// BenchmarkLookupFreshCPU is [BenchmarkLookupFresh] without a server: what a fresh hit costs this process beyond a GET and a decode.
func BenchmarkLookupFreshCPU(b *testing.B) {
	_, client := started(b)
	ctx := context.Background()
	for _, size := range []struct {
		name  string
		bytes int
	}{{"200B", 200}, {"10KB", 10 << 10}} {
		client.FlushAll(ctx)
		want := productOf(size.bytes)
		payload, err := msgpack.Marshal(want)
		if err != nil {
			b.Fatal(err)
		}
		cfg := redisadapter.Config[string, product]{Namespace: "bench", Region: "product", Secret: base().Secret, TTL: base().TTL}
		cfg.TTL.Soft, cfg.TTL.Hard = cfg.TTL.Hard*60, cfg.TTL.Hard*60
		mustApply(b, open(b, client, cfg).Record(ctx, "k", value(want), ifAbsent))
		raw, c := canned(b, string(payload)), open(b, canned(b, bytesAt(b, client, onlyKey(b, client))), cfg)
		for range 3 {
			b.Run(size.name+"/raw", func(b *testing.B) { benchmarkRaw(b, raw) })
			b.Run(size.name+"/lookup", func(b *testing.B) { benchmarkLookup(b, c) })
		}
	}
}
