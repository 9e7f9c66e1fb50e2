package remote

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/cacheaside/resilience/bench/internal/contender"
)

const (
	greeting = "stampede"

	requestBytes  = 1 + 8 + 8     // operation, call, key
	answerBytes   = 1 + 8 + 8 + 8 // status, call, version, time of the read; the body follows
	maxBodyBytes  = 1 << 20
	lengthBytes   = 4
	operationLoad = byte(1)
	operationLeft = byte(2) // the caller of this load has left
)

const (
	statusRow = byte(iota + 1)
	statusNoRow
	statusFailed
)

// ErrFrame says that what came over a connection is no frame of this protocol.
var ErrFrame = errors.New("source: not a frame of the protocol")

type request struct {
	operation byte
	call, key uint64
}

func (r request) append(to []byte) []byte {
	to = binary.BigEndian.AppendUint32(to, requestBytes)
	to = append(to, r.operation)
	to = binary.BigEndian.AppendUint64(to, r.call)
	return binary.BigEndian.AppendUint64(to, r.key)
}

func readRequest(from io.Reader) (request, error) {
	var frame [lengthBytes + requestBytes]byte
	if _, err := io.ReadFull(from, frame[:lengthBytes]); err != nil {
		return request{}, err
	}
	if n := binary.BigEndian.Uint32(frame[:]); n != requestBytes {
		return request{}, fmt.Errorf("%w: a request of %d bytes, not %d", ErrFrame, n, requestBytes)
	}
	if _, err := io.ReadFull(from, frame[lengthBytes:]); err != nil {
		return request{}, err
	}
	body := frame[lengthBytes:]
	r := request{operation: body[0], call: binary.BigEndian.Uint64(body[1:]), key: binary.BigEndian.Uint64(body[9:])}
	if r.operation != operationLoad && r.operation != operationLeft {
		return request{}, fmt.Errorf("%w: operation %d", ErrFrame, r.operation)
	}
	return r, nil
}

type answer struct {
	status byte
	call   uint64
	row    contender.Row
}

func (a answer) append(to []byte) []byte {
	to = binary.BigEndian.AppendUint32(to, uint32(answerBytes+len(a.row.Body)))
	to = append(to, a.status)
	to = binary.BigEndian.AppendUint64(to, a.call)
	to = binary.BigEndian.AppendUint64(to, a.row.Version)
	to = binary.BigEndian.AppendUint64(to, uint64(a.row.ReadAt))
	return append(to, a.row.Body...)
}

func readAnswer(from io.Reader) (answer, error) {
	var head [lengthBytes + answerBytes]byte
	if _, err := io.ReadFull(from, head[:lengthBytes]); err != nil {
		return answer{}, err
	}
	n := binary.BigEndian.Uint32(head[:])
	if n < answerBytes || n > answerBytes+maxBodyBytes {
		return answer{}, fmt.Errorf("%w: an answer of %d bytes", ErrFrame, n)
	}
	if _, err := io.ReadFull(from, head[lengthBytes:]); err != nil {
		return answer{}, err
	}
	fields := head[lengthBytes:]
	a := answer{status: fields[0], call: binary.BigEndian.Uint64(fields[1:])}
	a.row.Version = binary.BigEndian.Uint64(fields[9:])
	a.row.ReadAt = int64(binary.BigEndian.Uint64(fields[17:]))
	if a.status < statusRow || a.status > statusFailed {
		return answer{}, fmt.Errorf("%w: status %d", ErrFrame, a.status)
	}
	if n > answerBytes {
		a.row.Body = make([]byte, n-answerBytes)
		if _, err := io.ReadFull(from, a.row.Body); err != nil {
			return answer{}, err
		}
	}
	return a, nil
}

func (a answer) outcome() (contender.Row, error) {
	switch a.status {
	case statusNoRow:
		return contender.Row{}, contender.ErrNoRow
	case statusFailed:
		return contender.Row{}, contender.ErrSource
	default:
		return a.row, nil
	}
}
