// Package redisserver starts the redis-server on PATH for one run of an example.
package redisserver

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// Server is a redis-server of this run's own: it keeps nothing, and nobody else can reach it, since it listens on a socket in a private folder.
type Server struct {
	URL string

	folder  string
	process *exec.Cmd
	ended   chan struct{}
	err     error // how the process ended; set before ended is closed
}

// ErrNone says that there is no redis-server to start.
var ErrNone = errors.New("there is no redis-server on PATH")

const startLimit = 5 * time.Second

// Start starts a server and returns when it accepts connections, within five seconds. [ErrNone] is in the chain of the error if there is none.
func Start(ctx context.Context) (*Server, error) {
	binary, err := exec.LookPath("redis-server")
	if err != nil {
		return nil, ErrNone
	}
	folder, err := os.MkdirTemp("", "redis")
	if err != nil {
		return nil, err
	}
	socket := filepath.Join(folder, "redis.sock")
	process := exec.Command(binary, "--port", "0", "--unixsocket", socket, "--dir", folder, "--save", "", "--appendonly", "no")
	if err := process.Start(); err != nil {
		return nil, errors.Join(fmt.Errorf("starting redis-server: %w", err), os.RemoveAll(folder))
	}
	s := &Server{URL: "unix://" + socket, folder: folder, process: process, ended: make(chan struct{})}
	go func() {
		s.err = process.Wait()
		close(s.ended)
	}()
	if err := s.wait(ctx, socket); err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	return s, nil
}

// wait returns when the server accepts connections.
func (s *Server) wait(ctx context.Context, socket string) error {
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		if conn, err := net.Dial("unix", socket); err == nil {
			return conn.Close()
		}
		select {
		case <-tick.C:
		case <-s.ended:
			return fmt.Errorf("redis-server ended before it accepted a connection: %w", s.err)
		case <-ctx.Done():
			return fmt.Errorf("redis-server accepts no connection: %w", ctx.Err())
		}
	}
}

// Stop ends the server and removes what it left. Call it once.
func (s *Server) Stop() error {
	// It holds nothing worth a farewell.
	_ = s.process.Process.Kill()
	<-s.ended
	return os.RemoveAll(s.folder)
}
