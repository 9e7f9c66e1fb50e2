package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

const askAgain = 50 * time.Millisecond

// story is what the two processes are told to do, and what they answer.
type story struct {
	out  io.Writer
	a, b *process
}

func tell(ctx context.Context, url string, out io.Writer) (err error) {
	secret := rand.Text() + rand.Text() // both processes share it, and no other run does
	a, err := startProcess(ctx, "A", url, secret)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.stop()) }()
	b, err := startProcess(ctx, "B", url, secret)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.stop()) }()
	s := &story{out: out, a: a, b: b}
	for _, chapter := range []func(context.Context) error{s.invalidation, s.crash} {
		if err := chapter(ctx); err != nil {
			return err
		}
	}
	return nil
}

// invalidation races a slow load: A has read the old row and is slow to return it when B writes the new one and invalidates.
func (s *story) invalidation(context.Context) error {
	s.title("A reads the row and is slow to bring it. Meanwhile B writes the row and invalidates.")
	return s.lines(
		s.quietly(s.a, "row old"), s.quietly(s.a, "hold"), s.shown(s.a, "begin one"),
		s.quietly(s.b, "row new"), s.shown(s.b, "invalidate one"),
		s.shown(s.b, "get one"),
		s.shown(s.a, "free"),
		s.shown(s.b, "get one"),
	)
}

// crash kills A while it loads for both.
func (s *story) crash(context.Context) error {
	s.title("The value is due for a refresh. A begins it and is killed.")
	err := s.lines(
		s.quietly(s.a, "row new"), s.shown(s.a, "get two"), s.waiting(2*ttl.Soft),
		s.quietly(s.a, "hold"), s.shown(s.a, "begin two"),
		s.killed(s.a),
		s.shown(s.b, "get two"),
	)
	if err != nil {
		return err
	}
	s.title("Nobody renews the dead process's grant. When it runs out, B loads.")
	for begun := time.Now(); ; {
		told, err := s.b.ask("get two")
		if err != nil {
			return err
		}
		if strings.HasPrefix(told, "Loaded ") {
			s.line(s.b, "get two", told)
			return nil
		}
		if time.Since(begun) > time.Minute {
			return fmt.Errorf("process B still answers %s", told)
		}
		time.Sleep(askAgain)
	}
}

func (s *story) title(text string) { fmt.Fprintf(s.out, "\n%s\n", text) }

func (s *story) line(p *process, asked, told string) {
	fmt.Fprintf(s.out, "  %s  %-15s  %s\n", p.name, asked, told)
}

type step func() error

func (s *story) lines(steps ...step) error {
	for _, do := range steps {
		if err := do(); err != nil {
			return err
		}
	}
	return nil
}

func (s *story) quietly(p *process, line string) step {
	return func() error {
		_, err := p.ask(line)
		return err
	}
}

func (s *story) shown(p *process, line string) step {
	return func() error {
		told, err := p.ask(line)
		if err == nil {
			s.line(p, line, told)
		}
		return err
	}
}

func (s *story) killed(p *process) step {
	return func() error {
		fmt.Fprintf(s.out, "  %s  kill -9\n", p.name)
		return p.kill()
	}
}

func (s *story) waiting(wait time.Duration) step {
	return func() error {
		time.Sleep(wait)
		return nil
	}
}
