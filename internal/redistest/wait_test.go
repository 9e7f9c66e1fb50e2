package redistest_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cacheaside/resilience/internal/redistest"
)

func TestAWaitForAnEventEndsWithItOrWithPatience(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]struct {
		came bool
		took time.Duration
	}{0: {true, 0}, 1: {true, 0}, 2: {false, redistest.Patience}} {
		synctest.Test(t, func(t *testing.T) {
			begun := time.Now()
			if came, took := redistest.AwaitCount(n), time.Since(begun); came != want.came || took != want.took {
				t.Errorf("waiting for %d events: %v after %v, want %+v", n, came, took, want)
			}
		})
	}
}

func TestAPollEndsWithItsAnswerItsContextOrPatience(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	for name, test := range map[string]struct {
		last  error
		limit time.Duration
		asked int
		err   error
	}{
		"an answer at once":  {nil, time.Hour, 1, nil},
		"an answer in time":  {nil, time.Hour, 5, nil},
		"a failure":          {broken, time.Hour, 3, broken},
		"its context's end":  {redistest.ErrNotYet, 2500 * time.Millisecond, 3, context.DeadlineExceeded},
		"the patience's end": {redistest.ErrNotYet, time.Hour, 10, context.DeadlineExceeded},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), test.limit)
			defer cancel()
			asked := 0
			// A beat of which no multiple meets a limit.
			err := redistest.Poll(ctx, time.Second+time.Millisecond, func() error {
				if asked++; asked < test.asked || errors.Is(test.last, redistest.ErrNotYet) {
					return redistest.ErrNotYet
				}
				return test.last
			})
			if !errors.Is(err, test.err) || asked != test.asked {
				t.Errorf("%s: asked %d times, then %v", name, asked, err)
			}
		})
	}
}
