package live_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/live"
)

const (
	diesAt   = 100 // reads of a process before it dies; more than a warm-up has
	exitCode = 7
)

// lookup finds the lab's contenders, and those that tests make up: a word and a folder for the process to leave its number in.
func lookup(id string, at live.Endpoint) (contender.Contender, bool) {
	kind, dir, made := strings.Cut(id, ":")
	if !made {
		return live.Of(contender.All()...)(id, at)
	}
	c := madeUp(kind, dir)
	c.Open = func(node contender.Node) (contender.Reader, error) {
		if err := os.WriteFile(filepath.Join(dir, strconv.Itoa(os.Getpid())), nil, 0o600); err != nil {
			return nil, err
		}
		return open(kind, dir, node, at)
	}
	return c, true
}

func madeUp(kind, dir string) contender.Contender {
	return contender.Contender{
		ID: kind + ":" + dir, Name: kind,
		Open: func(contender.Node) (contender.Reader, error) { return nil, fmt.Errorf("only workers open %s", kind) },
	}
}

func open(kind, dir string, node contender.Node, at live.Endpoint) (contender.Reader, error) {
	r := &scripted{source: node.Source}
	switch kind {
	case "own":
		options, err := redis.ParseURL(at.URL)
		if err != nil {
			return nil, err
		}
		client := redis.NewClient(options)
		r.before = func(ctx context.Context, _ int64) {
			at.Operation()
			client.Set(ctx, at.Namespace+":mine", "x", 0)
		}
		r.after = func() { _ = client.Close() }
	case "dies", "panics":
		r.before = func(_ context.Context, n int64) {
			if node.Number == 1 && n == diesAt {
				if kind == "panics" {
					panic("out of order")
				}
				os.Exit(exitCode)
			}
		}
	case "lasts":
		r.before = func(_ context.Context, n int64) {
			if n == diesAt {
				_ = os.WriteFile(filepath.Join(dir, "runs"), nil, 0o600)
			}
		}
	case "slow":
		r.before = func(ctx context.Context, _ int64) {
			timer := time.NewTimer(200 * time.Millisecond)
			defer timer.Stop()
			select {
			case <-timer.C:
			case <-ctx.Done():
			}
		}
	default:
		return nil, fmt.Errorf("cannot be")
	}
	return r, nil
}

// scripted answers every read with a row, after something has happened.
type scripted struct {
	source contender.Source
	reads  atomic.Int64
	before func(ctx context.Context, read int64)
	after  func()
}

func (s *scripted) Get(ctx context.Context, _ uint64) contender.Answer {
	s.before(ctx, s.reads.Add(1))
	return contender.Answer{Ending: contender.Hit, Row: contender.Row{Version: 1}}
}

func (s *scripted) Invalidate(context.Context, uint64) error { return nil }

func (s *scripted) Close(context.Context) error {
	if s.after != nil {
		s.after()
	}
	return nil
}
