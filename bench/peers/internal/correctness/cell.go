package correctness

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/cacheaside/resilience/bench/peers/internal/adapters"
	"github.com/cacheaside/resilience/internal/redistest"
)

// Outcome is what became of an experiment.
type Outcome string

// An experiment is measured; or it cannot be put to the library; or its process died or hung, which is a result; or it could not be run.
const (
	Measured      Outcome = "measured"
	NotApplicable Outcome = "not applicable"
	Died          Outcome = "died"
	Hung          Outcome = "hung"
	Failed        Outcome = "failed"
)

// Cell is one experiment with one library.
type Cell struct {
	Experiment  string
	Peer        string
	Outcome     Outcome
	Text        string          // the sentence of the table
	Observation json.RawMessage // of Measured: the observation type of the experiment
}

// server is the Redis of one cell.
type server struct {
	addr    string
	process *redistest.Process // nil for a Redis that is not this run's own
}

// do carries out a child's order.
func (s server) do(o order) string {
	if s.process == nil {
		return replyNoControl
	}
	err := fmt.Errorf("unknown order %q", o)
	switch o {
	case pause:
		err = s.process.Pause()
	case kill:
		err = s.process.Kill()
	}
	if err != nil {
		return replyFailed
	}
	return replyDone
}

// cell runs one experiment in a child of its own.
func (r Runner) cell(ctx context.Context, e Experiment, p adapters.Peer) Cell {
	cell := Cell{Experiment: e.ID, Peer: p.ID, Outcome: Failed}
	redis := server{addr: r.Addr}
	if redis.addr == "" {
		process, err := redistest.StartProcess(ctx, redistest.Options{})
		if err != nil {
			cell.Text = oneLine("not measured: " + err.Error())
			return cell
		}
		defer process.Stop() //nolint:errcheck // its end is no result
		redis = server{addr: process.Addr(), process: process}
	}
	ctx, cancel := context.WithTimeout(ctx, e.Limit)
	defer cancel()
	var complaints tail
	said, err := r.child(ctx, strings.Join([]string{e.ID, p.ID, redis.addr, cmp.Or(r.Namespace, "bench")}, " "), redis, &complaints)
	switch {
	case said.NotMeasured != "":
		cell.Outcome, cell.Text = NotApplicable, said.NotMeasured
	case said.Error != "":
		cell.Text = oneLine("not measured: " + said.Error)
	case said.Observation != nil:
		cell.Observation = said.Observation
		text, err := e.judge(said.Observation)
		if err != nil {
			cell.Text = oneLine("not measured: " + err.Error())
			return cell
		}
		cell.Outcome, cell.Text = Measured, text
	case ctx.Err() != nil:
		cell.Outcome, cell.Text = Hung, fmt.Sprintf("hung: no end within %s", e.Limit)
	default:
		cell.Outcome, cell.Text = Died, "the process died: "+lastWords(complaints.String(), err)
	}
	return cell
}

// child starts this program again and follows what it says until it ends.
func (r Runner) child(ctx context.Context, task string, redis server, complaints io.Writer) (said line, err error) {
	cmd := exec.CommandContext(ctx, r.Program)
	cmd.Env = append(os.Environ(), childVariable+"="+task, "GORACE=atexit_sleep_ms=0")
	cmd.Stderr = complaints
	cmd.WaitDelay = time.Second
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return line{}, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return line{}, err
	}
	if err := cmd.Start(); err != nil {
		return line{}, err
	}
	said = listen(stdout, stdin, redis.do)
	return said, cmd.Wait()
}

// tail keeps the first of what is written to it.
type tail struct{ bytes.Buffer }

const complaintBytes = 64 << 10

func (t *tail) Write(p []byte) (int, error) {
	if room := complaintBytes - t.Len(); room > 0 {
		t.Buffer.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

// lastWords finds the line that the runtime ends a process with.
func lastWords(complaints string, err error) string {
	for l := range strings.Lines(complaints) {
		if strings.HasPrefix(l, "panic: ") || strings.HasPrefix(l, "fatal error: ") {
			return strings.TrimSpace(l)
		}
	}
	if err != nil {
		return err.Error()
	}
	return "without a word"
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
