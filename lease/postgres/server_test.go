package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// envRequire names the environment variable which, set to 1, makes a missing PostgreSQL a failure instead of a skipped test.
const envRequire = "CACHEASIDE_REQUIRE_POSTGRES"

// server is a throw-away PostgreSQL on a loopback port, in a directory of its own. It is started by the first test that needs it.
type server struct {
	mu   sync.Mutex // guards what follows
	bin  string
	dir  string
	port int
	cmd  *exec.Cmd
	gone chan struct{} // closed when the process has ended
	err  error
}

var theServer server

var errNoServer = errors.New("no PostgreSQL under /usr/lib/postgresql or on PATH: Debian's package postgresql has it")

// start gives the server, or skips or fails t where there is none.
func start(t testing.TB) *server {
	t.Helper()
	err := theServer.begin()
	switch {
	case err == nil:
	case errors.Is(err, errNoServer) && os.Getenv(envRequire) != "1":
		t.Skipf("skipped: %v", err)
	default:
		t.Fatal(err)
	}
	return &theServer
}

func (s *server) begin() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cmd == nil && s.err == nil {
		s.err = s.make()
	}
	return s.err
}

// make finds the programs, makes a database and runs it.
func (s *server) make() (err error) {
	if s.bin, err = findPrograms(); err != nil {
		return err
	}
	if s.dir, err = os.MkdirTemp("", "leases-"); err != nil {
		return err
	}
	attr, err := ordinaryUser(s.dir)
	if err != nil {
		return err
	}
	initdb := exec.Command(filepath.Join(s.bin, "initdb"), "-D", s.data(), "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C", "--no-sync")
	initdb.Dir, initdb.SysProcAttr = s.dir, attr
	if out, err := initdb.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w: %s", err, out)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	s.port = listener.Addr().(*net.TCPAddr).Port
	if err := listener.Close(); err != nil {
		return err
	}
	return s.run()
}

func (s *server) data() string { return filepath.Join(s.dir, "data") }

// run starts the server and waits until it answers. After a crash it may have to wait for what is left of the last one, which sees its death by itself.
func (s *server) run() error {
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	for {
		if err := s.launch(); err != nil {
			return err
		}
		if answers(ctx, s.url(s.addr()), s.gone) {
			return nil
		}
		if ctx.Err() != nil {
			text, _ := os.ReadFile(filepath.Join(s.dir, "log"))
			return fmt.Errorf("the server does not answer: %w: %s", ctx.Err(), text[max(0, len(text)-2000):])
		}
	}
}

func (s *server) launch() error {
	log, err := os.OpenFile(filepath.Join(s.dir, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	attr, err := ordinaryUser(s.dir)
	if err != nil {
		return err
	}
	cmd := exec.Command(filepath.Join(s.bin, "postgres"), "-D", s.data(), "-p", strconv.Itoa(s.port),
		"-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=", "-c", "max_connections=100", "-c", "shared_buffers=16MB")
	cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.SysProcAttr = s.dir, log, log, attr
	if err := cmd.Start(); err != nil {
		return err
	}
	gone := make(chan struct{})
	s.cmd, s.gone = cmd, gone
	go func() {
		defer close(gone)
		_ = cmd.Wait() // a killed process always reports an error
	}()
	return nil
}

// answers waits until the server does, or is gone.
func answers(ctx context.Context, url string, gone <-chan struct{}) bool {
	ticker := time.NewTicker(20 * time.Millisecond)
	defer ticker.Stop()
	for {
		if conn, err := pgx.Connect(ctx, url); err == nil {
			return conn.Close(ctx) == nil
		}
		select {
		case <-ctx.Done():
			return false
		case <-gone:
			return false
		case <-ticker.C:
		}
	}
}

func (s *server) addr() string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(s.port)) }

func (s *server) url(addr string) string {
	return "postgres://postgres@" + addr + "/postgres?sslmode=disable&connect_timeout=10"
}

// crash ends the server as kill -9 does, and starts it again.
func (s *server) crash(t testing.TB) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kill()
	if err := s.run(); err != nil {
		t.Fatal(err)
	}
}

func (s *server) kill() {
	_ = s.cmd.Process.Kill() // fails on one that has ended
	<-s.gone
}

func (s *server) stop() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cmd != nil {
		// At once, but not before its children are gone, which would go on writing into the folder.
		_ = s.cmd.Process.Signal(syscall.SIGQUIT)
		select {
		case <-s.gone:
		case <-time.After(10 * time.Second):
			s.kill()
		}
	}
	if s.dir == "" {
		return nil
	}
	return os.RemoveAll(s.dir)
}

// findPrograms gives the folder of the newest PostgreSQL.
func findPrograms() (string, error) {
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if err != nil {
		return "", err
	}
	if len(found) > 0 {
		slices.Sort(found)
		return filepath.Dir(found[len(found)-1]), nil
	}
	path, err := exec.LookPath("initdb")
	if err != nil {
		return "", errNoServer
	}
	return filepath.Dir(path), nil
}

// ordinaryUser lets a program run as somebody who is not root, which PostgreSQL insists on, and gives that user the folder.
func ordinaryUser(dir string) (*syscall.SysProcAttr, error) {
	attr := childAttr()
	if os.Getuid() != 0 {
		return attr, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		account, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, uidErr := strconv.ParseUint(account.Uid, 10, 32)
		gid, gidErr := strconv.ParseUint(account.Gid, 10, 32)
		if err := errors.Join(uidErr, gidErr); err != nil {
			return nil, err
		}
		attr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
		return attr, os.Chown(dir, int(uid), int(gid))
	}
	return nil, errors.New("PostgreSQL does not run as root, and there is no user postgres or nobody")
}
