package correctness

import (
	"bufio"
	"context"
	"errors"
	"io"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
)

// The pure functions that make sentences of observations.
var (
	JudgeCancel     = judgeCancel
	JudgeBroken     = judgeBroken
	JudgeCorrupt    = judgeCorrupt
	JudgeInvalidate = judgeInvalidate
	JudgeOtherNode  = judgeOtherNode
	JudgeOutage     = judgeOutage
	JudgeStale      = judgeStale
	JudgeAbsent     = judgeAbsent
	JudgeCold       = judgeCold
	LastWords       = lastWords
)

const ChildVariable = childVariable

// Judged makes the sentence of an observation as the parent does.
func Judged(e Experiment, observation []byte) (string, error) { return e.judge(observation) }

// NewSource is a source and what was asked of it.
func NewSource(answer func(context.Context, uint64) (contender.Row, error)) (contender.Source, func() Load, func(uint64, contender.Row) bool) {
	s := newSource(answer)
	return s, s.count, s.gave
}

var RowOf = rowOf

// Crowd is what n callers got.
func Crowd(ctx context.Context, n int, deadline, patience time.Duration, do func(context.Context, int) contender.Answer) Tally {
	return gather(ctx, n, deadline, do).tally(patience)
}

// Listen gives the last of what a child said, in words, and the orders that it gave.
func Listen(from io.Reader, to io.Writer) (observation, notMeasured, failure string, orders []string) {
	last := listen(from, to, func(o order) string {
		orders = append(orders, string(o))
		return replyDone
	})
	return string(last.Observation), last.NotMeasured, last.Error, orders
}

// SayOrder gives an order as a child does.
func SayOrder(to io.Writer, from io.Reader) error {
	return speaker{to: to, from: bufio.NewReader(from)}.order(pause)
}

// SayOutcome tells as a child does how a measurement ended.
func SayOutcome(to io.Writer, observation any, err error) error {
	return speaker{to: to}.say(measured(observation, err))
}

func IsNoControl(err error) bool { return errors.Is(err, errNoControl) }
