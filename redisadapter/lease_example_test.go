package redisadapter_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/alicebob/miniredis/v2"

	"github.com/cacheaside/resilience/lease"
	"github.com/cacheaside/resilience/redisadapter"
)

// The nightly job runs on one of several hosts; its token goes with everything that it writes.
func ExampleNewLeaseStore() {
	server, err := miniredis.Run() // a program has a real one, which tells how it is set up
	if err != nil {
		fmt.Println(err)
		return
	}
	defer server.Close()
	client, err := redisadapter.OpenClient("redis://" + server.Addr())
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.Close()
	ctx := context.Background()
	store, err := redisadapter.NewLeaseStore(ctx, client, redisadapter.LeaseConfig{
		Namespace: "shop", Region: "jobs", Secret: []byte("at least thirty-two random bytes"), MaxHold: 10 * time.Minute,
		UnverifiedServerAccepted: true, AcknowledgedWritesMayBeLost: true,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer store.Close()

	first, err := store.Acquire(ctx, "nightly", "host-a", lease.NewRequestID(), time.Minute)
	fmt.Println(first.Kind, err)
	second, err := store.Acquire(ctx, "nightly", "host-b", lease.NewRequestID(), time.Minute)
	fmt.Println(second.Kind, "by", second.Owner, err)
	renewed, err := store.Renew(ctx, "nightly", first.Grant.Token, time.Minute)
	fmt.Println("lost:", renewed.Lost, err)
	released, err := store.Release(ctx, "nightly", first.Grant.Token)
	fmt.Println("lost:", released.Lost, err)
	third, err := store.Acquire(ctx, "nightly", "host-b", lease.NewRequestID(), time.Minute)
	fmt.Println(third.Kind, third.Grant.Token > first.Grant.Token, err)
	// Output:
	// Granted <nil>
	// Held by host-a <nil>
	// lost: None <nil>
	// lost: None <nil>
	// Granted true <nil>
}

// Without the opt-outs, a server that does not keep what it acknowledges is refused, with everything that is wrong with it.
func ExampleNewLeaseStore_refused() {
	server, err := miniredis.Run()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer server.Close()
	client, err := redisadapter.OpenClient("redis://" + server.Addr())
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.Close()
	_, err = redisadapter.NewLeaseStore(context.Background(), client, redisadapter.LeaseConfig{
		Namespace: "shop", Region: "jobs", Secret: []byte("at least thirty-two random bytes"),
	})
	var unverifiable *redisadapter.UnverifiableError
	fmt.Println(errors.As(err, &unverifiable))
	// Output: true
}
