package redisadapter_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/cacheaside/resilience/redisadapter"
)

// The cache starts while there is no server, and says what it does not know. Leases do not.
func ExamplePreflight() {
	client, err := redisadapter.OpenClient("redis://127.0.0.1:1")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.Close()
	ctx := context.Background()

	posture, err := redisadapter.Preflight(ctx, client, redisadapter.Needs{})
	fmt.Println("cache:", err)
	fmt.Println(posture.Report())

	_, err = redisadapter.Preflight(ctx, client, redisadapter.Needs{Leases: true, AcknowledgedWritesMayBeLost: true})
	var unverifiable *redisadapter.UnverifiableError
	if errors.As(err, &unverifiable) {
		fmt.Println("leases:", unverifiable.Setting, "is", unverifiable.Seen)
	}
	// Output:
	// cache: <nil>
	// noted: redisadapter: posture unknown: server is unreachable (no connection could be made), must be reachable: nothing about it can be told; try again once it answers
	// leases: server is unreachable (no connection could be made)
}
