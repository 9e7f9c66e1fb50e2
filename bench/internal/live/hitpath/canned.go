package hitpath

import (
	"bytes"
	"context"
	"net"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"
)

// cannedConn is a connection to nobody: everything but the handshake gets the same answer, so that what a read costs is the work of this process
// alone.
type cannedConn struct {
	answer []byte
	unread []byte
}

func (c *cannedConn) Write(p []byte) (int, error) {
	c.unread = c.answer
	if bytes.Contains(p, []byte("hello")) {
		c.unread = []byte("-ERR unknown command\r\n")
	}
	return len(p), nil
}

func (c *cannedConn) Read(p []byte) (int, error) {
	n := copy(p, c.unread)
	c.unread = c.unread[n:]
	return n, nil
}

func (c *cannedConn) Close() error                     { return nil }
func (c *cannedConn) LocalAddr() net.Addr              { return &net.TCPAddr{} }
func (c *cannedConn) RemoteAddr() net.Addr             { return &net.TCPAddr{} }
func (c *cannedConn) SetDeadline(time.Time) error      { return nil }
func (c *cannedConn) SetReadDeadline(time.Time) error  { return nil }
func (c *cannedConn) SetWriteDeadline(time.Time) error { return nil }

// canned makes a client whose server holds one value under every key.
func canned(value string) *redis.Client {
	answer := []byte("$" + strconv.Itoa(len(value)) + "\r\n" + value + "\r\n")
	return redis.NewClient(&redis.Options{
		Addr: "canned:0", Protocol: 2, DisableIdentity: true, PoolSize: 1,
		Dialer: func(context.Context, string, string) (net.Conn, error) { return &cannedConn{answer: answer}, nil },
	})
}
