package redistest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Process is a running redis-server that belongs to no test.
//
// Accessors are safe for concurrent use. Kill, Restart, Pause, Resume and Stop
// are for one goroutine at a time.
type Process struct {
	opts  Options
	path  string
	dir   string
	ports ports

	mu  sync.Mutex // guards run; never held across a wait
	run *run       // nil before the first start
}

// run is one life of the server process.
type run struct {
	cmd    *exec.Cmd
	exited chan struct{} // closed once the process is reaped
}

// startAttempts bounds the search for a port that nobody else takes between
// its choice and the server's bind; one is enough where ports can be held.
const startAttempts = 20

// errPortTaken tells a lost race for a port from a server that cannot start.
var errPortTaken = errors.New("redistest: port taken")

// StartProcess starts a redis-server on a free loopback port, in a temporary
// directory of its own, and returns once it answers. It waits ten seconds at
// most, less when ctx ends earlier; ctx does not bound the life of the server,
// which ends with [Process.Stop].
//
// Errors: [ErrNoServer] when there is no redis-server, else one that carries
// the last lines of the server's log.
func StartProcess(ctx context.Context, opts Options) (*Process, error) {
	path, err := Find()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "redistest-")
	if err != nil {
		return nil, fmt.Errorf("redistest: %w", err)
	}
	p := &Process{opts: opts, path: path, dir: dir}
	for range startAttempts {
		if p.ports, err = choosePorts(opts.cluster); err != nil {
			break
		}
		if err = p.start(ctx); err == nil {
			return p, nil
		}
		p.ports.release()
		if !errors.Is(err, errPortTaken) {
			break
		}
	}
	return nil, errors.Join(err, remove(dir))
}

// Addr returns "127.0.0.1:port", the same for the whole life of p.
func (p *Process) Addr() string { return loopback(p.ports.client) }

// URL returns a redis:// URL of database 0, rediss:// for a server that speaks
// TLS, with the password if there is one.
func (p *Process) URL() string {
	u := url.URL{Scheme: "redis", Host: p.Addr(), Path: "/0"}
	if p.opts.Authority != nil {
		u.Scheme = "rediss"
	}
	if p.opts.Password != "" {
		u.User = url.UserPassword("", p.opts.Password)
	}
	return u.String()
}

// Dir returns the server's own directory, removed by Stop.
func (p *Process) Dir() string { return p.dir }

// PID returns the process id of the server's present or last life.
func (p *Process) PID() int { return p.current().cmd.Process.Pid }

// Exited is closed when the present life of the server has ended.
func (p *Process) Exited() <-chan struct{} { return p.current().exited }

// Kill ends the server at once, as kill -9 does, and returns when it is gone.
// Killing a dead server is no error.
func (p *Process) Kill() error {
	r := p.current()
	if err := r.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("redistest: kill: %w", err)
	}
	<-r.exited
	return nil
}

// Restart kills the server if it still runs and starts it again on the same
// port and in the same directory. Data survives only where the options made
// the server write it.
func (p *Process) Restart(ctx context.Context) error {
	if err := p.Kill(); err != nil {
		return err
	}
	return p.start(ctx)
}

// Pause suspends the server: connections stay open, the kernel still accepts
// new ones, nothing is answered. It returns when the server has stopped running.
func (p *Process) Pause() error { return stopProcess(context.Background(), p.PID()) }

// Resume ends a Pause; what was sent meanwhile is then answered.
func (p *Process) Resume() error { return continueProcess(p.PID()) }

// Stop kills the server and removes its directory. It may be called again.
func (p *Process) Stop() error {
	err := p.Kill()
	p.ports.release()
	return errors.Join(err, remove(p.dir))
}

// remove removes a server's directory. A child that a killed server has forked
// to write its data goes on writing until it notices, into a directory that is
// being emptied.
func remove(dir string) error {
	var last error
	err := poll(context.Background(), 10*time.Millisecond, func() error {
		if last = os.RemoveAll(dir); errors.Is(last, syscall.ENOTEMPTY) {
			return errNotYet
		}
		return last
	})
	if errors.Is(err, errNotYet) {
		return last
	}
	return err
}

func (p *Process) current() *run {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.run
}

// start runs the server on p's ports and waits until it answers.
func (p *Process) start(ctx context.Context) error {
	// A socket left by a killed server would refuse the connections of the
	// readiness check, which is harmless, but not be replaced on some systems.
	if err := os.Remove(socketPath(p.dir)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("redistest: %w", err)
	}
	conf := filepath.Join(p.dir, "redis.conf")
	if p.current() == nil { // later lives keep what CONFIG REWRITE left there
		text := p.opts.config(p.dir, p.ports.client, p.ports.bus)
		if err := os.WriteFile(conf, []byte(text), 0o600); err != nil {
			return fmt.Errorf("redistest: %w", err)
		}
		if p.opts.Authority != nil {
			if err := p.opts.Authority.write(p.dir); err != nil {
				return err
			}
		}
	}
	args := []string{conf}
	if p.opts.sentinel != nil {
		args = append(args, "--sentinel")
	}
	r, err := launch(p.path, p.dir, append(args, p.opts.Args...))
	if err != nil {
		return err
	}
	if err := p.awaitReady(ctx, r); err != nil {
		// Already dead, or about to be; its own end is not news.
		_ = r.cmd.Process.Kill()
		<-r.exited
		return p.explain(err)
	}
	p.mu.Lock()
	p.run = r
	p.mu.Unlock()
	return nil
}

// launch starts the program with its output in a log file: a file needs no
// goroutine to copy it and can be read after the death of the process.
func launch(path, dir string, args []string) (*run, error) {
	log, err := os.Create(logPath(dir))
	if err != nil {
		return nil, fmt.Errorf("redistest: %w", err)
	}
	defer log.Close()
	cmd := exec.Command(path, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.SysProcAttr = dir, log, log, childAttr()
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("redistest: start %s: %w", path, err)
	}
	r := &run{cmd: cmd, exited: make(chan struct{})}
	go func() {
		defer close(r.exited)
		_ = cmd.Wait() // a killed server always reports an error
	}()
	return r, nil
}

// explain adds the end of the server's log to err, and marks a lost port.
func (p *Process) explain(err error) error {
	log, readErr := os.ReadFile(logPath(p.dir))
	if readErr != nil {
		return errors.Join(err, readErr)
	}
	if bytes.Contains(log, []byte("Address already in use")) {
		return errors.Join(errPortTaken, err)
	}
	tail := string(log[max(0, len(log)-2000):])
	if p.opts.Password != "" {
		tail = strings.ReplaceAll(tail, p.opts.Password, "(password)")
	}
	return fmt.Errorf("%w; the server said:\n%s", err, tail)
}

func socketPath(dir string) string { return filepath.Join(dir, "socket") }

func logPath(dir string) string { return filepath.Join(dir, "redis.log") }

// ports are the two ports of a server; bus is zero outside a cluster.
type ports struct {
	client, bus int
	holds       []func()
}

func choosePorts(cluster bool) (ports, error) {
	var chosen ports
	hold := func(port *int) error {
		n, release, err := bindHolder()
		if err != nil {
			return err
		}
		*port = n
		chosen.holds = append(chosen.holds, release)
		return nil
	}
	err := hold(&chosen.client)
	if err == nil && cluster {
		err = hold(&chosen.bus)
	}
	if err != nil {
		chosen.release()
		return ports{}, err
	}
	return chosen, nil
}

// release gives the ports back; a second call does nothing.
func (p *ports) release() {
	for _, release := range p.holds {
		release()
	}
	p.holds = nil
}
