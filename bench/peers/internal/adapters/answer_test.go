package adapters_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/peers/internal/adapters"
)

func TestARowIsLoadedStaleOrAHitByWhenTheSourceReadIt(t *testing.T) {
	t.Parallel()
	now := time.Unix(1000, 0)
	const soft = 10 * time.Second
	tests := []struct {
		name       string
		soft       time.Duration
		read       time.Time
		began      time.Time
		wantEnding contender.Ending
	}{
		{"read during the call", soft, now.Add(-time.Second), now.Add(-2 * time.Second), contender.Loaded},
		{"read as the call began", soft, now.Add(-time.Second), now.Add(-time.Second), contender.Loaded},
		{"read before the call", soft, now.Add(-3 * time.Second), now.Add(-2 * time.Second), contender.Hit},
		{"of exactly the soft age", soft, now.Add(-soft), now, contender.Hit},
		{"older than soft", soft, now.Add(-soft - time.Microsecond), now, contender.Stale},
		{"old, of a library without a stale state", 0, now.Add(-time.Hour), now, contender.Hit},
	}
	for _, test := range tests {
		row := contender.Row{Version: 1, ReadAt: test.read.UnixMicro()}
		if got := adapters.EndingOf(test.soft, row, test.began, now); got != test.wantEnding {
			t.Errorf("%s: %s, want %s", test.name, got, test.wantEnding)
		}
	}
}

func TestAnErrorIsToldByWhoseItIs(t *testing.T) {
	t.Parallel()
	tests := []struct {
		err  error
		want string
	}{
		{fmt.Errorf("wrapped: %w", contender.ErrSource), adapters.ReasonSource},
		{context.Canceled, adapters.ReasonCancelled},
		{context.DeadlineExceeded, adapters.ReasonCancelled},
		{&net.OpError{Op: "dial", Err: os.ErrClosed}, adapters.ReasonStore},
		{io.EOF, adapters.ReasonStore},
		{redis.Nil, adapters.ReasonStore},
		{redis.ErrPoolTimeout, adapters.ReasonStore},
		{errors.New("something else"), adapters.ReasonOther},
	}
	for _, test := range tests {
		if got := adapters.ReasonOf(test.err); got != test.want {
			t.Errorf("%v: %q, want %q", test.err, got, test.want)
		}
	}
}

func TestWhatALibraryDoesIsOneAnswer(t *testing.T) {
	t.Parallel()
	absent, refused := errors.New("absent"), errors.New("refused")
	over, cancel := context.WithCancel(context.Background())
	cancel()
	fails := func(err error) func() (contender.Row, error) {
		return func() (contender.Row, error) { return contender.Row{}, err }
	}
	tests := []struct {
		name string
		ctx  context.Context
		get  func() (contender.Row, error)
		want contender.Answer
	}{
		{"its own absence", t.Context(), fails(fmt.Errorf("x: %w", absent)), contender.Answer{Ending: contender.Absent}},
		{"the source's absence", t.Context(), fails(contender.ErrNoRow), contender.Answer{Ending: contender.Absent}},
		{"a bound", t.Context(), fails(refused), contender.Answer{Ending: contender.Rejected, Reason: "full"}},
		{"a bound, too late", over, fails(refused), contender.Answer{Ending: contender.Rejected, Reason: "full"}},
		{"the caller's own end", over, fails(context.Canceled), contender.Answer{Ending: contender.TimedOut}},
		{"another's end", t.Context(), fails(context.Canceled), contender.Answer{Ending: contender.Failed, Reason: adapters.ReasonCancelled}},
		{"a panic", t.Context(), func() (contender.Row, error) { panic("x") }, contender.Answer{Ending: contender.Failed, Reason: adapters.ReasonPanic}},
	}
	for _, test := range tests {
		got := adapters.Ask(test.ctx, absent, refused, test.get)
		if got.Ending != test.want.Ending || got.Reason != test.want.Reason {
			t.Errorf("%s: %s %q, want %s %q", test.name, got.Ending, got.Reason, test.want.Ending, test.want.Reason)
		}
	}
}
