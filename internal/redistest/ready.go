package redistest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"
)

// awaitReady waits until r answers PING, has ended, or patience has.
//
// It asks through the unix socket in p's own directory: an answer on the TCP
// port could be that of another server which won the race for it. The server
// opens the socket only after it has bound its TCP port.
func (p *Process) awaitReady(ctx context.Context, r *run) error {
	return poll(ctx, time.Millisecond, func() error {
		select {
		case <-r.exited:
			return errors.New("redistest: the server ended at once")
		default:
			return p.ping(ctx)
		}
	})
}

// ping returns nil when the server answers commands, errNotYet when it may do
// so later. A server that demands credentials this package was not given does
// answer.
func (p *Process) ping(ctx context.Context) error {
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "unix", socketPath(p.dir))
	if err != nil {
		return fmt.Errorf("%w: no connection", errNotYet)
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		return fmt.Errorf("redistest: %w", err)
	}
	answers := bufio.NewReader(conn)
	if p.opts.Password != "" {
		if _, err := ask(conn, answers, "AUTH "+quote(p.opts.Password)); err != nil {
			return err
		}
	}
	answer, err := ask(conn, answers, "PING")
	switch {
	case err != nil:
		return err
	case answer == "+PONG", strings.HasPrefix(answer, "-NOAUTH"), strings.HasPrefix(answer, "-NOPERM"):
		return nil
	default:
		return fmt.Errorf("%w: %s", errNotYet, answer)
	}
}

// ask sends one inline command and returns the first line of its answer.
func ask(conn net.Conn, answers *bufio.Reader, command string) (string, error) {
	if _, err := conn.Write([]byte(command + "\r\n")); err != nil {
		return "", fmt.Errorf("%w: %w", errNotYet, err)
	}
	line, err := answers.ReadString('\n')
	if err != nil {
		return "", fmt.Errorf("%w: %w", errNotYet, err)
	}
	return strings.TrimRight(line, "\r\n"), nil
}
