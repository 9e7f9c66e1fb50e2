package bubble_test

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cacheaside/resilience/bench/internal/bubble"
)

func TestTimePassesInABubbleWhenNothingElseCanHappen(t *testing.T) {
	t.Parallel()
	var passed time.Duration
	begun := time.Now()
	if err := bubble.Of(t).Run(func() {
		start := time.Now()
		<-time.After(24 * time.Hour)
		passed = time.Since(start)
	}); err != nil {
		t.Fatal(err)
	}
	if passed != 24*time.Hour || time.Since(begun) > time.Hour {
		t.Errorf("%v passed inside", passed)
	}
}

func TestGoroutinesThatCannotEndAreAnErrorAndNotTheEndOfTheProgram(t *testing.T) {
	t.Parallel()
	err := bubble.Of(t).Run(func() { go func() { <-make(chan struct{}) }() })
	if err == nil || !strings.Contains(err.Error(), "deadlock") {
		t.Fatalf("%v", err)
	}
	if err := bubble.Of(t).Run(func() { <-time.After(time.Second) }); err != nil {
		t.Fatalf("the next bubble: %v", err)
	}
}

func TestBubblesRunSideBySide(t *testing.T) {
	t.Parallel()
	bubbles := bubble.Of(t)
	var slept atomic.Int64
	done := make(chan error)
	for range 4 {
		go func() {
			done <- bubbles.Run(func() {
				start := time.Now()
				for range 100 {
					<-time.After(time.Minute)
				}
				slept.Add(int64(time.Since(start)))
			})
		}()
	}
	for range 4 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if got := time.Duration(slept.Load()); got != 400*time.Minute {
		t.Errorf("%v", got)
	}
}
