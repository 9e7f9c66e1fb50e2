package bulkhead_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/cacheaside/resilience/internal/bulkhead"
)

func TestAWaitForAPermitTakesItsTimeAndNoMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const wait = 100 * time.Millisecond
		b := bulkhead.New(1, clock.New())
		held, err := b.Acquire(0, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer held.Release()
		begun := time.Now()
		if _, err := b.Acquire(wait, nil); !errors.Is(err, bulkhead.ErrTimeout) {
			t.Errorf("got %v, want %v", err, bulkhead.ErrTimeout)
		}
		if took := time.Since(begun); took != wait {
			t.Errorf("waited %v, want %v", took, wait)
		}
	})
}
