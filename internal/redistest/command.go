package redistest

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Command is one command as the server executed it.
type Command struct {
	// Time is the server's wall clock at execution, in microseconds.
	Time time.Time
	// DB is the number of the database it ran in.
	DB int
	// Source is the client's address, or "lua" for a command that a script ran.
	Source string
	// Args are the command's name, as it was written, and its arguments.
	Args []string
}

// Name returns the command's name in upper case.
func (c Command) Name() string { return strings.ToUpper(c.Args[0]) }

// InScript reports whether a script ran the command, rather than a client.
func (c Command) InScript() bool { return c.Source == "lua" }

var errNotMonitor = errors.New("redistest: not a line of MONITOR")

// parseMonitor reads a line of MONITOR without its leading + and line end:
//
//	1339518083.107412 [0 127.0.0.1:60866] "set" "k" "a\r\n\x00"
func parseMonitor(line string) (Command, error) {
	stamp, rest, ok := strings.Cut(line, " [")
	origin, quoted, ok2 := strings.Cut(rest, "] ")
	db, source, ok3 := strings.Cut(origin, " ")
	seconds, micros, ok4 := strings.Cut(stamp, ".")
	if !ok || !ok2 || !ok3 || !ok4 {
		return Command{}, errNotMonitor
	}
	s, err := strconv.ParseInt(seconds, 10, 64)
	us, err2 := strconv.ParseInt(micros, 10, 64)
	n, err3 := strconv.Atoi(db)
	args, err4 := unquoteAll(quoted)
	if err := errors.Join(err, err2, err3, err4); err != nil {
		return Command{}, fmt.Errorf("%w: %w", errNotMonitor, err)
	}
	return Command{Time: time.UnixMicro(s*1e6 + us), DB: n, Source: source, Args: args}, nil
}

// unquoteAll splits a sequence of double-quoted strings, at least one.
func unquoteAll(s string) ([]string, error) {
	var args []string
	for {
		arg, rest, err := unquote(s)
		if err != nil {
			return nil, err
		}
		args = append(args, arg)
		if rest == "" {
			return args, nil
		}
		var spaced bool
		if s, spaced = strings.CutPrefix(rest, " "); !spaced {
			return nil, errNotMonitor
		}
	}
}

// escapes are the server's one-letter escapes.
var escapes = map[byte]byte{'n': '\n', 'r': '\r', 't': '\t', 'a': '\a', 'b': '\b', '\\': '\\', '"': '"'}

// unquote reads the double-quoted string at the start of s and returns what
// follows it.
func unquote(s string) (text, rest string, err error) {
	if !strings.HasPrefix(s, `"`) {
		return "", "", errNotMonitor
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch c := s[i]; c {
		case '"':
			return b.String(), s[i+1:], nil
		case '\\':
			if i+1 == len(s) {
				return "", "", errNotMonitor
			}
			i++
			if plain, known := escapes[s[i]]; known {
				b.WriteByte(plain)
				continue
			}
			if s[i] != 'x' || i+2 >= len(s) {
				return "", "", errNotMonitor
			}
			code, err := strconv.ParseUint(s[i+1:i+3], 16, 8)
			if err != nil {
				return "", "", errNotMonitor
			}
			b.WriteByte(byte(code))
			i += 2
		default:
			b.WriteByte(c)
		}
	}
	return "", "", errNotMonitor
}
