package redistest

import (
	"bufio"
	"context"
	"crypto/rand"
	"fmt"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// markerPrefix begins the marks a Monitor sets; monitors hide those of others
// as well as their own.
const markerPrefix = "redistest-mark-"

// Monitor records every command a server executes, over a connection of its
// own. Its methods are safe for concurrent use, but those that wait fail the
// test and so belong to the test's goroutine.
type Monitor struct {
	t      testing.TB
	client *redis.Client // sets the marks
	done   chan struct{} // closed when the recording goroutine has ended

	state    notice // guards what follows
	commands []Command
	marked   string // the last mark seen
	ended    error  // why recording ended; nil while it goes on
}

// Monitor starts recording; it ends with the test. Every command that is sent
// after Monitor returns is recorded.
//
// Recording ends with the present life of the server; after a restart, start
// another.
//
// The server hides AUTH and shows handshakes (HELLO, CLIENT) as commands like
// any other,
// those of a monitor's own marking connection included.
func (s *Server) Monitor() *Monitor {
	s.t.Helper()
	conn, err := net.DialTimeout("tcp", s.Addr(), patience)
	if err != nil {
		s.t.Fatal(err)
	}
	lines, err := s.process.beginMonitor(conn)
	if err != nil {
		conn.Close()
		s.t.Fatal(err)
	}
	m := &Monitor{t: s.t, client: s.Client(), done: make(chan struct{})}
	go m.record(lines)
	s.t.Cleanup(func() {
		conn.Close()
		<-m.done
	})
	return m
}

// beginMonitor turns conn into a stream of MONITOR lines.
func (p *Process) beginMonitor(conn net.Conn) (*bufio.Reader, error) {
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		return nil, fmt.Errorf("redistest: %w", err)
	}
	lines := bufio.NewReader(conn)
	commands := []string{"MONITOR"}
	if p.opts.Password != "" {
		commands = []string{"AUTH " + quote(p.opts.Password), "MONITOR"}
	}
	for _, command := range commands {
		answer, err := ask(conn, lines, command)
		if err != nil {
			return nil, err
		}
		if answer != "+OK" {
			return nil, fmt.Errorf("redistest: MONITOR: %s", answer)
		}
	}
	if err := conn.SetDeadline(time.Time{}); err != nil {
		return nil, fmt.Errorf("redistest: %w", err)
	}
	return lines, nil
}

// record reads until the connection ends, by the test's end or the server's.
func (m *Monitor) record(lines *bufio.Reader) {
	defer close(m.done)
	for {
		line, err := lines.ReadString('\n')
		var command Command
		if err == nil {
			command, err = parseMonitor(strings.TrimSuffix(strings.TrimPrefix(line, "+"), "\r\n"))
		}
		m.state.update(func() {
			switch {
			case err != nil:
				m.ended = err
			case command.Name() == "ECHO" && strings.HasPrefix(command.Args[1], markerPrefix):
				m.marked = command.Args[1]
			default:
				m.commands = append(m.commands, command)
			}
		})
		if err != nil {
			return
		}
	}
}

// Sync waits until everything the server executed before the call has been
// recorded: it sends a mark and waits until that is seen.
func (m *Monitor) Sync() {
	m.t.Helper()
	mark := markerPrefix + rand.Text()
	// Not the test's context: that has ended when its cleanups run.
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := m.client.Echo(ctx, mark).Err(); err != nil {
		m.t.Fatalf("redistest: MONITOR cannot be synchronised: %v", err)
	}
	m.wait("a mark", func() bool { return m.marked == mark })
}

// Commands synchronises and returns what was recorded since the start or the
// last Reset, in the order of execution.
func (m *Monitor) Commands() []Command {
	m.t.Helper()
	m.Sync()
	var commands []Command
	m.state.read(func() { commands = slices.Clone(m.commands) })
	return commands
}

// Count synchronises and returns how often clients sent the command called
// name, in upper case. What scripts ran is not counted.
func (m *Monitor) Count(name string) int {
	m.t.Helper()
	m.Sync()
	var n int
	m.state.read(func() { n = m.countLocked(name, false) })
	return n
}

// CountInScripts is Count for the commands that scripts ran.
func (m *Monitor) CountInScripts(name string) int {
	m.t.Helper()
	m.Sync()
	var n int
	m.state.read(func() { n = m.countLocked(name, true) })
	return n
}

// WaitForCommand waits until clients have sent the command called name, in
// upper case, at least n times: for commands nobody's return announces.
func (m *Monitor) WaitForCommand(name string, n int) {
	m.t.Helper()
	m.wait(fmt.Sprintf("%d %s", n, name), func() bool { return m.countLocked(name, false) >= n })
}

// Reset synchronises and forgets what was recorded.
func (m *Monitor) Reset() {
	m.t.Helper()
	m.Sync()
	m.state.update(func() { m.commands = nil })
}

// wait fails the test when until does not come true, or cannot any more.
func (m *Monitor) wait(what string, until func() bool) {
	m.t.Helper()
	var met bool
	var ended error
	m.state.await(func() bool {
		met, ended = until(), m.ended
		return met || ended != nil
	})
	if !met {
		m.t.Fatalf("redistest: MONITOR did not show %s (recording ended: %v)", what, ended)
	}
}

func (m *Monitor) countLocked(name string, inScript bool) int {
	n := 0
	for _, command := range m.commands {
		if command.Name() == name && command.InScript() == inScript {
			n++
		}
	}
	return n
}
