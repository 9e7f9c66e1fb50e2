package bulkhead_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/benbjohnson/clock"
	"go.uber.org/goleak"

	"github.com/cacheaside/resilience/internal/bulkhead"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func mustAcquire(t *testing.T, b *bulkhead.Bulkhead, wait time.Duration) *bulkhead.Permit {
	t.Helper()
	permit, err := b.Acquire(wait, nil)
	if err != nil {
		t.Fatalf("Acquire: %v", err)
	}
	return permit
}

func TestPermitsAreBoundedByTheCapacity(t *testing.T) {
	b := bulkhead.New(2, clock.New())
	first, second := mustAcquire(t, b, 0), mustAcquire(t, b, 0)
	if _, err := b.Acquire(0, nil); !errors.Is(err, bulkhead.ErrTimeout) {
		t.Fatalf("a third of two permits: %v", err)
	}
	if b.Held() != 2 {
		t.Fatalf("held %d", b.Held())
	}
	first.Release()
	third := mustAcquire(t, b, 0)
	second.Release()
	third.Release()
	if b.Held() != 0 {
		t.Fatalf("held %d at rest", b.Held())
	}
}

func TestReleasingTwiceGivesBackOnePermit(t *testing.T) {
	b := bulkhead.New(2, clock.New())
	first, second := mustAcquire(t, b, 0), mustAcquire(t, b, 0)
	first.Release()
	first.Release()
	if b.Held() != 1 {
		t.Fatalf("held %d after one permit was released twice", b.Held())
	}
	second.Release()
	new(bulkhead.Permit).Release()
}

func TestAWaitEndsExactlyWhenItsTimeHasPassed(t *testing.T) {
	mock := clock.NewMock()
	b := bulkhead.New(1, mock)
	held := mustAcquire(t, b, 0)
	ended := make(chan error, 1)
	go func() {
		_, err := b.Acquire(100*time.Millisecond, nil)
		ended <- err
	}()
	for mock.Add(99 * time.Millisecond); ; mock.Add(0) {
		// The waiter's timer counts from the moment it is set, which may be after the first step.
		select {
		case err := <-ended:
			if !errors.Is(err, bulkhead.ErrTimeout) {
				t.Fatalf("ended with %v", err)
			}
			held.Release()
			if b.Held() != 0 {
				t.Fatalf("held %d after a timed-out wait", b.Held())
			}
			return
		default:
			mock.Add(time.Millisecond)
		}
	}
}

func TestAnAbandonedWaitTakesNoPermit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := bulkhead.New(1, clock.New())
		held := mustAcquire(t, b, 0)
		abandoned := make(chan struct{})
		ended := make(chan error, 1)
		go func() {
			_, err := b.Acquire(time.Hour, abandoned)
			ended <- err
		}()
		synctest.Wait()
		close(abandoned)
		if err := <-ended; !errors.Is(err, bulkhead.ErrAbandoned) {
			t.Fatalf("ended with %v", err)
		}
		held.Release()
		if b.Held() != 0 {
			t.Fatalf("held %d", b.Held())
		}
		if _, err := b.Acquire(time.Hour, abandoned); !errors.Is(err, bulkhead.ErrAbandoned) {
			t.Fatalf("a wait abandoned before it began: %v", err)
		}
	})
}

func TestC26_ACancelledHeadWaiterLeavesTheNextOneAwake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := bulkhead.New(1, clock.New())
		held := mustAcquire(t, b, 0)
		begun := time.Now()
		abandoned := make(chan struct{})
		time.AfterFunc(50*time.Millisecond, func() { close(abandoned) })
		first := make(chan error, 1)
		go func() {
			_, err := b.Acquire(time.Second, abandoned)
			first <- err
		}()
		synctest.Wait()
		second := make(chan time.Duration, 1)
		go func() {
			permit, err := b.Acquire(time.Second, nil)
			if err != nil {
				t.Errorf("the second waiter: %v", err)
				return
			}
			second <- time.Since(begun)
			permit.Release()
		}()
		time.AfterFunc(80*time.Millisecond, held.Release)
		if err := <-first; !errors.Is(err, bulkhead.ErrAbandoned) {
			t.Fatalf("the first waiter: %v", err)
		}
		if at := <-second; at != 80*time.Millisecond {
			t.Fatalf("the second waiter got its permit at %v", at)
		}
	})
}

func TestRandomActionsNeverExceedTheCapacityAndLoseNoPermit(t *testing.T) {
	const capacity, workers, rounds = 3, 16, 2000
	b := bulkhead.New(capacity, clock.New())
	var running, peak atomic.Int64
	var group sync.WaitGroup
	for worker := range workers {
		group.Go(func() {
			random := rand.New(rand.NewPCG(7, uint64(worker)))
			for range rounds {
				abandoned := make(chan struct{})
				if random.IntN(3) == 0 {
					close(abandoned)
				}
				permit, err := b.Acquire(time.Duration(random.IntN(100))*time.Microsecond, abandoned)
				if err != nil {
					continue
				}
				now := running.Add(1)
				for old := peak.Load(); now > old && !peak.CompareAndSwap(old, now); old = peak.Load() {
				}
				running.Add(-1)
				permit.Release()
				if random.IntN(2) == 0 {
					permit.Release()
				}
			}
		})
	}
	group.Wait()
	if peak.Load() > capacity {
		t.Fatalf("%d permits out of %d", peak.Load(), capacity)
	}
	if b.Held() != 0 {
		t.Fatalf("%d permits lost", b.Held())
	}
}

func ExampleBulkhead() {
	b := bulkhead.New(1, clock.New())
	permit, _ := b.Acquire(0, nil)
	_, err := b.Acquire(time.Millisecond, nil)
	fmt.Println(err)
	permit.Release()
	fmt.Println(b.Held())
	// Output:
	// bulkhead: no permit in time
	// 0
}
