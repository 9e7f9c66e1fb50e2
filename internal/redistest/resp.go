package redistest

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
)

// errNotRESP is met where a stream stops making sense as requests or replies.
var errNotRESP = errors.New("redistest: not RESP")

// crlf ends everything.
const crlf = "\r\n"

// request is the beginning of a request: what was read up to and with its
// name. Its last line end is read but not part of head, because a server acts
// on a request once it has that; whoever forwards one writes it last.
type request struct {
	name string // in upper case; "" for an empty request, which nobody answers
	head []byte
	args int // the arguments that follow
}

// readRequest reads the beginning of the next request. With errNotRESP, head
// holds what was read.
func readRequest(r *bufio.Reader) (request, error) {
	line, err := r.ReadBytes('\n')
	if err != nil {
		return request{head: line}, err
	}
	text := bytes.TrimRight(line, crlf)
	if len(text) == 0 || text[0] != '*' {
		name, _, _ := bytes.Cut(bytes.TrimLeft(text, " "), []byte(" "))
		return request{name: strings.ToUpper(string(name)), head: text}, nil
	}
	n, err := strconv.Atoi(string(text[1:]))
	if err != nil {
		return request{head: line}, errNotRESP
	}
	if n <= 0 {
		return request{head: text}, nil
	}
	header, name, err := readBulk(r)
	head := slices.Concat(line, header, name)
	if err != nil {
		return request{head: head}, err
	}
	return request{name: strings.ToUpper(string(name)), head: head, args: n - 1}, nil
}

// readBulk reads one argument of a request, and its header line.
func readBulk(r *bufio.Reader) (header, arg []byte, err error) {
	header, err = r.ReadBytes('\n')
	if err != nil {
		return header, nil, err
	}
	length, err := bulkLength(header)
	if err != nil {
		return header, nil, err
	}
	arg = make([]byte, length+len(crlf))
	if _, err := io.ReadFull(r, arg); err != nil {
		return header, nil, err
	}
	return header, arg[:length], nil
}

// readCommand reads a request as a whole, its name in upper case; an empty one
// has no words.
func readCommand(r *bufio.Reader) ([][]byte, error) {
	req, err := readRequest(r)
	switch {
	case err != nil:
		return nil, err
	case req.name == "":
		return nil, nil
	case req.head[0] != '*':
		words := bytes.Fields(req.head)
		words[0] = []byte(req.name)
		return words, nil
	}
	words := [][]byte{[]byte(req.name)}
	for range req.args {
		_, arg, err := readBulk(r)
		if err != nil {
			return nil, err
		}
		words = append(words, arg)
	}
	return words, nil
}

// copyArgs copies the n arguments that follow a request's head, without the
// line end of the last. With errNotRESP everything read so far has been copied.
func copyArgs(dst io.Writer, r *bufio.Reader, n int) error {
	for range n {
		header, err := r.ReadBytes('\n')
		if err != nil {
			return err
		}
		if _, err := dst.Write(append([]byte(crlf), header...)); err != nil {
			return err
		}
		length, err := bulkLength(header)
		if err != nil {
			return err
		}
		if _, err := io.CopyN(dst, r, int64(length)); err != nil {
			return err
		}
		if _, err := r.Discard(len(crlf)); err != nil {
			return err
		}
	}
	return nil
}

// maxBulk is the longest argument a server takes by default.
const maxBulk = 512 << 20

// bulkLength reads the length of a request's argument from its header line.
func bulkLength(header []byte) (int, error) {
	if header[0] != '$' {
		return 0, errNotRESP
	}
	n, err := strconv.Atoi(string(bytes.TrimRight(header[1:], crlf)))
	if err != nil || n < 0 || n > maxBulk {
		return 0, errNotRESP
	}
	return n, nil
}

// copyReply copies one reply, of protocol 2 or 3, however nested. With
// errNotRESP everything read so far has been copied.
func copyReply(dst io.Writer, r *bufio.Reader) error {
	for frames := 1; frames > 0; frames-- {
		kind, err := r.Peek(1)
		if err != nil {
			return err
		}
		// Looked at before a line is read: what is no reply may have no lines.
		if !bytes.Contains([]byte("+-:_,#($!=*~>%|"), kind) {
			return errNotRESP
		}
		line, err := r.ReadBytes('\n')
		if _, writeErr := dst.Write(line); err != nil || writeErr != nil {
			return errors.Join(err, writeErr)
		}
		more, err := copyBody(dst, r, line)
		if err != nil {
			return err
		}
		frames += more
	}
	return nil
}

// copyBody copies what follows a frame's line and belongs to it alone, and
// returns how many frames follow as parts of it.
func copyBody(dst io.Writer, r *bufio.Reader, line []byte) (more int, err error) {
	kind := line[0]
	if bytes.IndexByte([]byte("+-:_,#("), kind) >= 0 {
		return 0, nil
	}
	n, err := strconv.Atoi(string(bytes.TrimRight(line[1:], crlf)))
	if err != nil {
		return 0, errNotRESP
	}
	switch kind {
	case '$', '!', '=':
		if n < 0 {
			return 0, nil
		}
		_, err := io.CopyN(dst, r, int64(n)+int64(len(crlf)))
		return 0, err
	case '%':
		return max(0, 2*n), nil
	case '|': // attributes come before the reply they describe
		return max(0, 2*n) + 1, nil
	default:
		return max(0, n), nil
	}
}
