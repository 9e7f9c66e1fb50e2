package linear_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
)

// naive is an adapter as one writes it in an afternoon, with one of the usual faults.
type naive struct {
	client *redis.Client
	habit  habit
}

type habit string

const (
	retries        habit = "retries a write whose reply was lost, and believes the second reply"
	overwrites     habit = "writes whatever is there"
	getsThenSets   habit = "compares in the client, then writes"
	takesErrorAsNo habit = "takes a lost reply for a write that was not made"
)

func naively(h habit) func(*redis.Options) (subject, error) {
	return func(options *redis.Options) (subject, error) {
		if h == retries {
			options.MaxRetries, options.MinRetryBackoff, options.MaxRetryBackoff = 3, time.Millisecond, 2*time.Millisecond
		}
		options.ReadTimeout = 50 * time.Millisecond
		return &naive{client: redis.NewClient(options), habit: h}, nil
	}
}

func (n *naive) close() error { return n.client.Close() }

func (n *naive) lookup(ctx context.Context, key string) (sight, result, error) {
	text, err := n.client.Get(ctx, key).Result()
	if errors.Is(err, redis.Nil) {
		return sight{}, "", nil
	}
	if err != nil {
		return sight{}, nothing, nil //nolint:nilerr // a lookup that failed tells nothing
	}
	value, err := numberOf(text)
	return sight{value: value}, "", err
}

func (n *naive) record(ctx context.Context, key string, value int, large bool, asked sight) (result, error) {
	text := textOf(value, large)
	if n.habit == overwrites {
		return n.result(true, n.client.Set(ctx, key, text, time.Hour).Err()), nil
	}
	if asked.none() {
		set, err := n.client.SetNX(ctx, key, text, time.Hour).Result()
		return n.result(set, err), nil
	}
	there, what, err := n.lookup(ctx, key)
	switch {
	case err != nil || what == nothing:
		return nothing, err
	case there.none():
		return gone, nil
	case there != asked:
		return refused, nil
	case n.habit == getsThenSets:
		return n.result(true, n.client.Set(ctx, key, text, time.Hour).Err()), nil
	}
	return nothing, nil
}

func (n *naive) result(done bool, err error) result {
	switch {
	case err != nil && n.habit == takesErrorAsNo:
		return nothing
	case err != nil:
		return unknown
	case !done:
		return refused
	}
	return applied
}

// invalidate is not one of the things that are done wrong here.
func (n *naive) invalidate(context.Context, string) (result, error) { return nothing, nil }

func (n *naive) remove(ctx context.Context, key string) result { return deleted(ctx, n.client, key) }

func (n *naive) String() string { return fmt.Sprintf("a client that %s", n.habit) }
