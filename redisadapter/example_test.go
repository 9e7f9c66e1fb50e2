package redisadapter_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/alicebob/miniredis/v2"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/redisadapter"
)

type Country struct {
	Code, Name string
}

func exampleConfig() redisadapter.Config[string, Country] {
	return redisadapter.Config[string, Country]{
		Namespace: "shop",
		Region:    "country",
		Secret:    []byte("at least thirty-two random bytes"),
		TTL:       redisadapter.TTLPolicy{Soft: 10 * time.Minute, Hard: time.Hour, Negative: time.Minute, JitterRatio: 0.1},
	}
}

func ExampleNew() {
	server, err := miniredis.Run() // a program has a real one
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
	cache, err := redisadapter.New(client, exampleConfig())
	if err != nil {
		fmt.Println(err)
		return
	}
	defer cache.Close()

	ctx := context.Background()
	fmt.Println(cache.Lookup(ctx, "CH").Kind)
	entry := cacheaside.Entry[Country]{Value: Country{"CH", "Switzerland"}, Revision: "7"}
	fmt.Println(cache.Record(ctx, "CH", entry, cacheaside.Condition{}).Certainty)
	found := cache.Lookup(ctx, "CH")
	fmt.Println(found.Kind, found.Value.Name, found.Revision)
	// Output:
	// Miss
	// Applied
	// Fresh Switzerland 7
}

func ExampleNew_everyFaultAtOnce() {
	client, err := redisadapter.OpenClient("redis://127.0.0.1:6379")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.Close()
	cfg := exampleConfig()
	cfg.Region = "coun:try"
	cfg.Secret = []byte("short")
	cfg.TTL.Negative = 0
	_, err = redisadapter.New(client, cfg)
	fmt.Println(err)
	// Output:
	// cacheaside: TTL.Negative is 0s, must be positive
	// cacheaside: Region is a name with ':', must be of the characters A-Z a-z 0-9 _ . -
	// cacheaside: Secret is 5 bytes, must be at least 32 bytes
}

func ExampleOpenClient() {
	_, err := redisadapter.OpenClient("redis://app:pass word@cache.internal:6379/0")
	fmt.Println(err)
	// Output:
	// cacheaside: url must be a URL: redis://user:password@host:port/db, with special characters of the password percent-encoded
}

func ExampleCache_Invalidate() {
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
	cache, err := redisadapter.New(client, exampleConfig())
	if err != nil {
		fmt.Println(err)
		return
	}
	defer cache.Close()

	ctx := context.Background()
	before := cache.Lookup(ctx, "CH") // a load begins
	fmt.Println(cache.Invalidate(ctx, "CH").Certainty)
	late := cache.Record(ctx, "CH", cacheaside.Entry[Country]{Value: Country{"CH", "old name"}}, cacheaside.Condition{Observation: before.Observation})
	fmt.Println(late.Certainty, late.Reason)
	now := cache.Lookup(ctx, "CH")
	fmt.Println(now.Kind, now.Miss)
	// Output:
	// Applied
	// NotApplied ConditionFailed
	// Miss Invalidated
}

func ExampleStoreError() {
	client, err := redisadapter.OpenClient("redis://127.0.0.1:1") // nothing listens there
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.Close()
	cache, err := redisadapter.New(client, exampleConfig())
	if err != nil {
		fmt.Println(err)
		return
	}
	defer cache.Close()
	found := cache.Lookup(context.Background(), "CH")
	var failure *redisadapter.StoreError
	if errors.As(found.Err, &failure) {
		fmt.Println(found.Kind, failure.Fault)
	}
	// Output:
	// Unavailable Dial
}

func ExampleBreaker() {
	client, err := redisadapter.OpenClient("redis://127.0.0.1:1")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.Close()
	breaker := new(redisadapter.Breaker) // one for all regions of the client
	defer breaker.Close()
	cfg := exampleConfig()
	cfg.Breaker = breaker
	cache, err := redisadapter.New(client, cfg)
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 3 {
		cache.Lookup(context.Background(), "CH")
	}
	fmt.Println(errors.Is(cache.Lookup(context.Background(), "CH").Err, redisadapter.ErrBreakerOpen))
	// Output:
	// true
}

func ExampleSeal() {
	const name = "shop:country:-:{AAAAAAAAAAAAAAAAAAAAAA}:v"
	body := []byte{'C', 'A', 3} // an entry of a version to come
	raw := redisadapter.Seal(exampleConfig(), name, body)
	fmt.Println(len(raw)-len(body), strings.HasPrefix(string(raw), "CA\x03"))
	// Output:
	// 32 true
}

func ExampleWarning() {
	fmt.Println(redisadapter.Warning{Option: "DialerRetries", Value: "5", Consequence: "set it to 1"})
	// Output:
	// redisadapter: DialerRetries is 5: set it to 1
}
