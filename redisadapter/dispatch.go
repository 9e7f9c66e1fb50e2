package redisadapter

import (
	"strconv"
	"sync/atomic"
	"time"

	"github.com/benbjohnson/clock"
)

// shipment is the value of a write on its way. The client serializes a command only onto a connection that is ready, so a shipment that was never
// asked for its bytes was certainly never sent; no error of the client tells that.
//
// It computes the remaining life at that same moment, so that waiting for a connection does not lengthen it. The argument with the life must
// therefore come after the value.
type shipment struct {
	raw   []byte
	hard  time.Time // the expiry that is written in raw
	clock clock.Clock
	sent  atomic.Int32
	life  atomic.Int64 // milliseconds, set by MarshalBinary
}

// MarshalBinary is called by the client when it serializes the command.
func (s *shipment) MarshalBinary() ([]byte, error) {
	life := s.hard.Sub(s.clock.Now()).Milliseconds()
	if life <= 0 {
		return nil, errExpired
	}
	s.life.Store(life)
	s.sent.Add(1)
	return s.raw, nil
}

// String keeps payloads out of whatever prints the arguments of commands.
func (s *shipment) String() string { return "[" + strconv.Itoa(len(s.raw)) + " bytes]" }

// GoString does what String does.
func (s *shipment) GoString() string { return s.String() }

// lifeArg is the PX argument of a shipment.
type lifeArg struct{ of *shipment }

// MarshalBinary writes the life that the shipment has just computed.
func (l lifeArg) MarshalBinary() ([]byte, error) {
	return strconv.AppendInt(nil, l.of.life.Load(), 10), nil
}

// String prints the life, 0 before the dispatch.
func (l lifeArg) String() string { return strconv.FormatInt(l.of.life.Load(), 10) }

// opaque is an argument of bytes that are nobody's business in a log.
type opaque string

// MarshalBinary gives the bytes.
func (o opaque) MarshalBinary() ([]byte, error) { return []byte(o), nil }

// String hides the bytes.
func (o opaque) String() string { return "[" + strconv.Itoa(len(o)) + " bytes]" }

// GoString does what String does.
func (o opaque) GoString() string { return o.String() }

// lifeOf is the life of a shipment whose value went ahead: being asked for it is the dispatch.
type lifeOf struct{ of *shipment }

// MarshalBinary counts the dispatch and writes the life.
func (l lifeOf) MarshalBinary() ([]byte, error) {
	if _, err := l.of.MarshalBinary(); err != nil {
		return nil, err
	}
	return strconv.AppendInt(nil, l.of.life.Load(), 10), nil
}

// String prints the life, 0 before the dispatch.
func (l lifeOf) String() string { return strconv.FormatInt(l.of.life.Load(), 10) }

// slip is an argument that knows whether it was sent, of a command that carries no entry.
type slip struct {
	text string
	sent atomic.Int32
}

// MarshalBinary counts the dispatch and gives the bytes.
func (s *slip) MarshalBinary() ([]byte, error) {
	s.sent.Add(1)
	return []byte(s.text), nil
}

// String hides the bytes.
func (s *slip) String() string { return "[" + strconv.Itoa(len(s.text)) + " bytes]" }

// GoString does what String does.
func (s *slip) GoString() string { return s.String() }

// floorMillis gives the time as it is encoded.
func floorMillis(t time.Time) time.Time { return time.UnixMilli(t.UnixMilli()).UTC() }
