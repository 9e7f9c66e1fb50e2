package live

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

const (
	stderrKept = 2 << 10
	exitWait   = 3 * time.Second
)

// WorkerError says that one of the processes did not do its work. It holds no password: workers print none.
type WorkerError struct {
	Contender string
	Node      int
	Cause     error
}

func (e *WorkerError) Error() string {
	return fmt.Sprintf("live: the process of node %d of %s failed: %v", e.Node, e.Contender, e.Cause)
}

// Unwrap gives what went wrong.
func (e *WorkerError) Unwrap() error { return e.Cause }

var errNoAnswer = errors.New("it does not answer")

// member is one worker process as the first process sees it.
type member struct {
	job    job
	cmd    *exec.Cmd
	in     io.WriteCloser
	said   chan message  // closed when it says no more
	exited chan struct{} // closed once it is reaped; status is set by then
	status error
	stderr *tail
	killed atomic.Bool // on purpose
}

// hire starts this program again as a worker and tells it its job.
func hire(j job) (*member, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("live: this program cannot be found to be started again: %w", err)
	}
	m := &member{job: j, cmd: exec.Command(self), said: make(chan message, 2), exited: make(chan struct{}), stderr: new(tail)}
	m.cmd.Env = append(os.Environ(), envWorker+"=1")
	m.cmd.Stderr = m.stderr
	m.cmd.WaitDelay = exitWait
	if m.in, err = m.cmd.StdinPipe(); err != nil {
		return nil, m.failed(err)
	}
	out, err := m.cmd.StdoutPipe()
	if err != nil {
		return nil, m.failed(err)
	}
	if err := m.cmd.Start(); err != nil {
		return nil, m.failed(err)
	}
	go m.listen(out)
	if err := json.NewEncoder(m.in).Encode(j); err != nil {
		return nil, errors.Join(m.failed(err), m.dismiss())
	}
	return m, nil
}

func (m *member) failed(cause error) error {
	return &WorkerError{Contender: m.job.Contender, Node: m.job.Node, Cause: cause}
}

// listen hands on what the worker says until it ends, and reaps it. It ends with the process, which dismiss ends.
func (m *member) listen(out io.Reader) {
	said := json.NewDecoder(out)
	for {
		var heard message
		if said.Decode(&heard) != nil {
			break
		}
		select {
		case m.said <- heard:
		case <-time.After(exitWait): // nobody listens any more
		}
	}
	close(m.said)
	_, _ = io.Copy(io.Discard, out) // whatever it says now is not understood
	m.status = m.cmd.Wait()
	close(m.exited)
}

// hear waits for the next thing that the worker says.
func (m *member) hear(ctx context.Context) (message, error) {
	select {
	case heard, more := <-m.said:
		switch {
		case !more:
			return message{}, m.failed(m.death())
		case heard.Error != "":
			return message{}, m.failed(errors.New(heard.Error))
		}
		return heard, nil
	case <-ctx.Done():
		return message{}, m.failed(errNoAnswer)
	}
}

// death says how a worker that says no more has ended.
func (m *member) death() error {
	select {
	case <-m.exited:
	case <-time.After(exitWait):
		return errNoAnswer
	}
	why := "it ended without a result"
	if m.status != nil {
		why += ": " + m.status.Error()
	}
	if last := m.stderr.lastLine(); last != "" {
		why += ": " + last
	}
	return errors.New(why)
}

// tell says something to the worker; one that is gone hears nothing, which shows elsewhere.
func (m *member) tell(c command) { _ = json.NewEncoder(m.in).Encode(c) }

// kill ends the worker as kill -9 does, on purpose. It returns when it is gone.
func (m *member) kill() error {
	m.killed.Store(true)
	if err := m.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return m.failed(err)
	}
	select {
	case <-m.exited:
		return nil
	case <-time.After(exitWait):
		return m.failed(errNoAnswer)
	}
}

// dismiss ends the worker and returns when it is gone.
func (m *member) dismiss() error {
	_ = m.in.Close() // at which it ends
	select {
	case <-m.exited:
		return nil
	case <-time.After(exitWait):
	}
	if err := m.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return m.failed(err)
	}
	<-m.exited
	return nil
}

// tail keeps the end of what is written to it. It is safe for concurrent use.
type tail struct {
	mu   sync.Mutex
	kept []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, p...)
	if over := len(t.kept) - stderrKept; over > 0 {
		t.kept = append(t.kept[:0], t.kept[over:]...)
	}
	return len(p), nil
}

// lastLine gives the first line of a panic where there is one, for its last says nothing.
func (t *tail) lastLine() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := strings.TrimSpace(string(t.kept))
	if at := strings.Index(text, "panic: "); at >= 0 {
		text, _, _ = strings.Cut(text[at:], "\n")
	}
	return text[strings.LastIndexByte(text, '\n')+1:]
}
