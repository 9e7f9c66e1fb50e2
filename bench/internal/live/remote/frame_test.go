package remote_test

import (
	"encoding/binary"
	"errors"
	"io"
	"net"
	"testing"
	"time"

	"github.com/cacheaside/resilience/bench/internal/live/remote"
)

func request(operation byte, call, key uint64) []byte {
	frame := binary.BigEndian.AppendUint32(nil, 17)
	frame = append(frame, operation)
	frame = binary.BigEndian.AppendUint64(frame, call)
	return binary.BigEndian.AppendUint64(frame, key)
}

func TestTheSourceEndsAConnectionThatSpeaksAnythingElse(t *testing.T) {
	t.Parallel()
	hello := []byte("stampede")
	join := func(parts ...[]byte) (all []byte) {
		for _, part := range parts {
			all = append(all, part...)
		}
		return all
	}
	for name, said := range map[string][]byte{
		"another greeting":        []byte("GET / HTTP/1.1\r\n\r\n"),
		"a frame that is too big": join(hello, []byte{0xff, 0xff, 0xff, 0xff}),
		"an empty frame":          join(hello, []byte{0, 0, 0, 0}),
		"no such operation":       join(hello, request(9, 1, 1)),
		"a number that is in use": join(hello, request(1, 1, 1), request(1, 1, 2)),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, long(1), nil)
			conn, err := net.Dial("tcp", s.Addr())
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			if _, err := conn.Write(said); err != nil {
				t.Fatal(err)
			}
			_ = conn.SetReadDeadline(time.Now().Add(patience))
			if n, err := io.Copy(io.Discard, conn); n != 0 || isTimeout(err) {
				t.Errorf("the source says %d bytes, %v; want the end of the connection", n, err)
			}
			if s.Refused() != 1 {
				t.Errorf("%d connections are refused, want 1", s.Refused())
			}
		})
	}
}

func isTimeout(err error) bool {
	var timeout net.Error
	return errors.As(err, &timeout) && timeout.Timeout()
}

func TestAClientGivesUpASourceThatSpeaksAnythingElse(t *testing.T) {
	t.Parallel()
	for name, said := range map[string][]byte{
		"too big":        {0xff, 0xff, 0xff, 0xff},
		"too small":      {0, 0, 0, 1, 1},
		"no such status": append([]byte{0, 0, 0, 25, 77}, make([]byte, 24)...),
		"cut short":      {0, 0, 0, 25, 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer listener.Close()
			go func() {
				conn, err := listener.Accept()
				if err != nil {
					return
				}
				defer conn.Close()
				heard := make([]byte, len("stampede")+len(request(1, 1, 1)))
				_, _ = io.ReadFull(conn, heard)
				_, _ = conn.Write(said)
			}()
			c, err := remote.Dial(t.Context(), listener.Addr().String(), 1)
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			if _, err := c.Load(t.Context(), 1); !errors.Is(err, remote.ErrLost) {
				t.Errorf("the load gives %v, want %v", err, remote.ErrLost)
			}
		})
	}
}

func TestNobodyListensAtAClosedSource(t *testing.T) {
	t.Parallel()
	s := serve(t, quick(1), nil)
	addr := s.Addr()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Errorf("closed again: %v", err)
	}
	if _, err := remote.Dial(t.Context(), addr, 1); err == nil {
		t.Error("a closed source is dialled")
	}
}
