package correctness

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/cacheaside/resilience/bench/peers/internal/adapters"
)

// childVariable names the environment variable that makes this program one experiment: "cancel otter 127.0.0.1:6379 bench-1".
const childVariable = "CACHEASIDE_PEERS_EXPERIMENT"

// linePrefix tells lines of the protocol from what a library prints.
const linePrefix = "\x1epeers "

// line is one line from a child to its parent.
type line struct {
	Order       order           `json:"order,omitempty"`
	Observation json.RawMessage `json:"observation,omitempty"`
	NotMeasured string          `json:"not_measured,omitempty"`
	Error       string          `json:"error,omitempty"`
}

// IsChild tells that this process was started to run one experiment. A program that calls [Run] asks first, and then leaves all to [Child].
func IsChild() bool { return os.Getenv(childVariable) != "" }

// Child runs the experiment that the environment names and returns the exit code. Goroutines that a library never lets go end with the process.
func Child() int {
	time.AfterFunc(childLimit+time.Second, func() { os.Exit(exitHung) }) // also if the parent is gone
	adapters.Quiet()
	out := speaker{to: os.Stdout, from: bufio.NewReader(os.Stdin)}
	if err := out.say(perform(os.Getenv(childVariable), out.order)); err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		return 1
	}
	return 0
}

const exitHung = 3

func perform(task string, control func(order) error) line {
	var experimentID, peerID string
	var at adapters.Place
	if n, _ := fmt.Sscan(task, &experimentID, &peerID, &at.Addr, &at.Namespace); n != 4 {
		return line{Error: fmt.Sprintf("%s must hold an experiment, a library, an address and a namespace", childVariable)}
	}
	experiment, known := ByID(experimentID)
	peer, alsoKnown := adapters.ByID(at, peerID)
	if !known || !alsoKnown {
		return line{Error: fmt.Sprintf("%s names no experiment and library of this program", childVariable)}
	}
	ctx, cancel := context.WithTimeout(context.Background(), childLimit)
	defer cancel()
	return measured(experiment.measure(ctx, newStage(peer, at, control)))
}

func measured(observation any, err error) line {
	var why *NotMeasured
	if errors.As(err, &why) {
		return line{NotMeasured: why.Why}
	}
	if err != nil {
		return line{Error: err.Error()}
	}
	raw, err := json.Marshal(observation)
	if err != nil {
		return line{Error: err.Error()}
	}
	return line{Observation: raw}
}

// speaker is the child's end of the protocol. It is for one goroutine.
type speaker struct {
	to   io.Writer
	from *bufio.Reader
}

func (s speaker) say(l line) error {
	text, err := json.Marshal(l)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.to, "\n%s%s\n", linePrefix, text)
	return err
}

// order asks the parent to do something to the Redis and waits until it is done.
func (s speaker) order(o order) error {
	if err := s.say(line{Order: o}); err != nil {
		return err
	}
	reply, err := s.from.ReadString('\n')
	switch {
	case err != nil:
		return err
	case reply == replyNoControl:
		return errNoControl
	case reply != replyDone:
		return fmt.Errorf("the order %q was not carried out", o)
	}
	return nil
}

const (
	replyDone      = "done\n"
	replyNoControl = "not mine\n"
	replyFailed    = "failed\n"
)
