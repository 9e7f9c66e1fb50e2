package memory_test

import (
	"context"
	"fmt"
	"time"

	"github.com/cacheaside/resilience/lease"
	"github.com/cacheaside/resilience/lease/memory"
)

func ExampleNew() {
	store, err := memory.New(memory.Config{MaxHold: 10 * time.Minute})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	first, _ := store.Acquire(ctx, "nightly", "host-a", lease.NewRequestID(), time.Minute)
	second, _ := store.Acquire(ctx, "nightly", "host-b", lease.NewRequestID(), time.Minute)
	fmt.Println(first.Kind)
	fmt.Println(second.Kind, "by", second.Owner)
	// Output:
	// Granted
	// Held by host-a
}
