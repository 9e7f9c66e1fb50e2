package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cacheaside/resilience/bench/internal/live/redisstore"
	"github.com/cacheaside/resilience/internal/redistest"
)

const askWait = 2 * time.Second

// server is the Redis of the live scenarios.
type server struct {
	addr    string
	version string             // "redis 7.4.2"
	process *redistest.Process // nil: it is somebody else's
}

// openServer finds the Redis at addr, or starts one where that is empty, and asks its version: it tells at the same time whether there is one.
func openServer(ctx context.Context, addr string) (*server, error) {
	s := &server{addr: addr}
	if addr == "" {
		process, err := redistest.StartProcess(ctx, redistest.Options{})
		if errors.Is(err, redistest.ErrNoServer) {
			return nil, fmt.Errorf("no redis-server on PATH: install it, name it in %s, or give -redis redis://host:port", redistest.EnvServer)
		}
		if err != nil {
			return nil, err
		}
		s.process, s.addr = process, process.Addr()
	}
	ctx, cancel := context.WithTimeout(ctx, askWait)
	defer cancel()
	url := "redis://" + s.addr
	if err := redisstore.Check(ctx, url); err != nil {
		return nil, errors.Join(fmt.Errorf("the Redis does not answer: %w", err), s.close())
	}
	s.version = redisstore.Version(ctx, url)
	return s, nil
}

// close ends it where this run has started it.
func (s *server) close() error {
	if s.process == nil {
		return nil
	}
	return s.process.Stop()
}
