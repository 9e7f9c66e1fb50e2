package lease_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/cacheaside/resilience/lease"
	"github.com/cacheaside/resilience/lease/memory"
)

// ledger is what the work writes to: it refuses a token that is lower than the highest it has seen.
type ledger struct{ highest lease.Token }

func (l *ledger) write(token lease.Token, line string) {
	if token < l.highest {
		fmt.Println("refused:", line)
		return
	}
	l.highest = token
	fmt.Println("written:", line)
}

// A holder that sleeps past the end of its lease goes on as if it held it. The token is what keeps its work out.
func Example_fencing() {
	ctx := context.Background()
	mock := clock.NewMock()
	store, err := memory.New(memory.Config{Clock: mock}) // of several processes: one on Redis or PostgreSQL
	if err != nil {
		fmt.Println(err)
		return
	}
	const ttl = 30 * time.Second
	var books ledger

	first, _ := store.Acquire(ctx, "nightly", "host-a", lease.NewRequestID(), ttl)
	fmt.Println("host-a:", first.Kind)
	mock.Add(time.Minute) // host-a is paused
	second, _ := store.Acquire(ctx, "nightly", "host-b", lease.NewRequestID(), ttl)
	fmt.Println("host-b:", second.Kind)
	books.write(second.Grant.Token, "by host-b")

	books.write(first.Grant.Token, "by host-a") // it wakes
	renewed, _ := store.Renew(ctx, "nightly", first.Grant.Token, ttl)
	fmt.Println("host-a is lost:", renewed.Lost)
	// Output:
	// host-a: Granted
	// host-b: Granted
	// written: by host-b
	// refused: by host-a
	// host-a is lost: Superseded
}

// An error is never a refusal. With the same request, asking again is safe whichever it was.
func ExampleStore() {
	var store lease.Store
	store, err := memory.New(memory.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	request := lease.NewRequestID()
	for range 3 {
		answer, err := store.Acquire(context.Background(), "nightly", "host-a", request, time.Minute)
		switch {
		case errors.Is(err, lease.ErrIndeterminate), errors.Is(err, lease.ErrNoDecision):
			continue // once more, with the same request
		case err != nil:
			fmt.Println(err)
			return
		}
		switch answer.Kind {
		case lease.Granted:
			fmt.Println("ours, until", answer.Grant.ValidUntil.After(time.Now()))
		case lease.Held:
			fmt.Println("of", answer.Owner, "for", answer.Remaining)
		case lease.Late:
			fmt.Println("the answer took longer than the lease")
		}
		return
	}
	// Output: ours, until true
}

func ExampleStore_inspect() {
	store, err := memory.New(memory.Config{Clock: clock.NewMock()})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	granted, _ := store.Acquire(ctx, "nightly", "host-a", lease.NewRequestID(), time.Minute)
	seen, _ := store.Inspect(ctx, "nightly")
	fmt.Println(seen.Live, seen.Owner, seen.Remaining, seen.Token == granted.Grant.Token)

	released, _ := store.Release(ctx, "nightly", granted.Grant.Token)
	fmt.Println(released.Lost)
	seen, _ = store.Inspect(ctx, "nightly")
	fmt.Println(seen.Live, seen.Token == granted.Grant.Token)
	// Output:
	// true host-a 1m0s true
	// None
	// false true
}
