package redistest

import (
	"errors"
	"io"
	"net"
	"sync/atomic"
)

// meter counts the bytes of one direction.
type meter = atomic.Int64

// meteredConn counts what passes through a connection.
type meteredConn struct {
	*net.TCPConn
	read, written *meter
}

func (c meteredConn) Read(b []byte) (int, error) {
	n, err := c.TCPConn.Read(b)
	c.read.Add(int64(n))
	return n, err
}

// Write counts before it writes and corrects afterwards: who has received the
// bytes must find them counted.
func (c meteredConn) Write(b []byte) (int, error) {
	c.written.Add(int64(len(b)))
	n, err := c.TCPConn.Write(b)
	c.written.Add(int64(n - len(b)))
	return n, err
}

// ReadFrom hides the one of TCPConn, which would pass bytes by uncounted.
func (c meteredConn) ReadFrom(r io.Reader) (int64, error) {
	return io.Copy(struct{ io.Writer }{c}, r)
}

// WriteTo hides the one of TCPConn for the same reason.
func (c meteredConn) WriteTo(w io.Writer) (int64, error) {
	return io.Copy(w, struct{ io.Reader }{c})
}

// reset ends the connection with a reset instead of an orderly close.
func (c meteredConn) reset() {
	_ = c.SetLinger(0) // fails on a closed connection only, which needs none
	_ = c.Close()
}

// lossyWriter drops what cannot be written any more, so that the stream it
// comes from is read on, in step.
type lossyWriter struct {
	io.Writer
	lost bool
}

func (w *lossyWriter) Write(b []byte) (int, error) {
	if !w.lost {
		_, err := w.Writer.Write(b)
		w.lost = err != nil
	}
	return len(b), nil
}

// errCut is what a gate returns to let nothing more through.
var errCut = errors.New("redistest: cut")

// gateWriter lets left bytes through, then asks gate once whether and when to
// go on.
type gateWriter struct {
	io.Writer
	left int
	gate func() error // nil once asked
}

func (w *gateWriter) Write(b []byte) (int, error) {
	if w.gate == nil || len(b) <= w.left {
		w.left -= len(b)
		return w.Writer.Write(b)
	}
	n, err := w.Writer.Write(b[:w.left])
	if err != nil {
		return n, err
	}
	if err := w.close(); err != nil {
		return n, err
	}
	rest, err := w.Writer.Write(b[n:])
	return n + rest, err
}

// close asks the gate now, if it has not been asked.
func (w *gateWriter) close() error {
	if w.gate == nil {
		return nil
	}
	gate := w.gate
	w.gate = nil
	return gate()
}
