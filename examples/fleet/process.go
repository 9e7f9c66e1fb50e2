package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

// secretIn passes the secret that both processes share.
const secretIn = "FLEET_EXAMPLE_SECRET"

// process is one of the two: this program, started again. It does what it is told, one line at a time, and answers each with one line.
type process struct {
	name string
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Scanner
}

func startProcess(ctx context.Context, name, url, secret string) (*process, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, program)
	cmd.Env = append(os.Environ(), workerAt+"="+url, secretIn+"="+secret)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &process{name: name, cmd: cmd, in: in, out: bufio.NewScanner(out)}
	if _, err := p.hear(); err != nil {
		return nil, errors.Join(err, p.stop())
	}
	return p, nil
}

func (p *process) say(line string) error {
	_, err := fmt.Fprintln(p.in, line)
	return err
}

func (p *process) hear() (string, error) {
	if !p.out.Scan() {
		return "", fmt.Errorf("process %s ended: %w", p.name, errors.Join(p.out.Err(), io.ErrUnexpectedEOF))
	}
	line := p.out.Text()
	if reason, failed := strings.CutPrefix(line, "error "); failed {
		return "", fmt.Errorf("process %s: %s", p.name, reason)
	}
	return line, nil
}

func (p *process) ask(line string) (string, error) {
	if err := p.say(line); err != nil {
		return "", err
	}
	return p.hear()
}

// kill ends it as a crash does.
func (p *process) kill() error {
	if err := p.cmd.Process.Kill(); err != nil {
		return err
	}
	_ = p.cmd.Wait() // it tells of the kill
	return nil
}

// stop lets it end: its input ends.
func (p *process) stop() error {
	if p.cmd.ProcessState != nil {
		return nil
	}
	return errors.Join(p.in.Close(), p.cmd.Wait())
}
