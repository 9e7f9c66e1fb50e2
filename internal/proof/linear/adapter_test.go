package linear_test

import (
	"context"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/redisadapter"
)

// subject is one client of what is tried. An error is an answer that nobody may give.
type subject interface {
	lookup(ctx context.Context, key string) (sight, result, error)
	record(ctx context.Context, key string, value int, large bool, asked sight) (result, error)
	invalidate(ctx context.Context, key string) (result, error)
	remove(ctx context.Context, key string) result
	close() error
}

// adapted is the adapter on a client of its own.
type adapted struct {
	client *redis.Client
	cfg    redisadapter.Config[string, string]
	cache  *redisadapter.Cache[string, string]
	seen   map[sight]cacheaside.Observation
}

// adapt opens the adapter with entries that are stale at once, so that lookups tell their observations, and that outlive every run.
func adapt(options *redis.Options) (subject, error) {
	a := &adapted{
		client: redis.NewClient(options),
		cfg: redisadapter.Config[string, string]{
			Namespace: "proof", Region: "linear", Secret: []byte("0123456789abcdef0123456789abcdef"),
			TTL:           redisadapter.TTLPolicy{Soft: time.Millisecond, Hard: time.Hour, Negative: time.Hour, TombstoneTTL: time.Hour},
			LookupTimeout: 80 * time.Millisecond, RecordTimeout: 120 * time.Millisecond,
		},
		seen: map[sight]cacheaside.Observation{},
	}
	return a, a.reopen()
}

// reopen begins with a breaker that is closed: what is tried here is not the breaker, which would keep clients away from the server most of the time.
func (a *adapted) reopen() error {
	if a.cache != nil {
		if err := a.cache.Close(); err != nil {
			return err
		}
	}
	var err error
	a.cache, err = redisadapter.New(a.client, a.cfg)
	return err
}

func (a *adapted) close() error { return errors.Join(a.cache.Close(), a.client.Close()) }

func (a *adapted) lookup(ctx context.Context, key string) (sight, result, error) {
	found := a.cache.Lookup(ctx, key)
	var s sight
	switch found.Kind {
	case cacheaside.LookupUnavailable:
		if errors.Is(found.Err, redisadapter.ErrBreakerOpen) {
			return s, nothing, a.reopen()
		}
		return s, nothing, nil
	case cacheaside.LookupFresh, cacheaside.LookupStale:
		value, err := numberOf(found.Value)
		if err != nil {
			return s, "", err
		}
		s.value = value
	case cacheaside.LookupMiss:
		if found.Miss == cacheaside.MissInvalidated {
			s = sight{tombstone: true, observation: string(found.Observation)}
		} else if found.Miss != cacheaside.MissAbsent {
			return s, "", fmt.Errorf("lookup of an entry that is %s", found.Miss)
		}
	case cacheaside.LookupNegative, cacheaside.LookupUnusable:
		return s, "", fmt.Errorf("lookup gave %s %s", found.Kind, found.Entry)
	}
	if found.Observation != "" {
		a.seen[s] = found.Observation
	}
	return s, "", nil
}

func (a *adapted) record(ctx context.Context, key string, value int, large bool, asked sight) (result, error) {
	observation, known := a.seen[asked]
	if !known && !asked.none() {
		return nothing, nil // it was seen while it was fresh, which shows no observation
	}
	return a.result(a.cache.Record(ctx, key, cacheaside.Entry[string]{Value: textOf(value, large)}, cacheaside.Condition{Observation: observation}))
}

func (a *adapted) invalidate(ctx context.Context, key string) (result, error) {
	return a.result(a.cache.Invalidate(ctx, key))
}

func (a *adapted) result(outcome cacheaside.RecordOutcome) (result, error) {
	if errors.Is(outcome.Err, redisadapter.ErrBreakerOpen) {
		return nothing, a.reopen()
	}
	switch outcome.Certainty {
	case cacheaside.RecordApplied:
		return applied, nil
	case cacheaside.RecordIndeterminate:
		return unknown, nil
	case cacheaside.RecordNotApplied:
		switch outcome.Reason {
		case cacheaside.RecordConditionFailed:
			return refused, nil
		case cacheaside.RecordObservationGone:
			return gone, nil
		case cacheaside.RecordNeverSent, cacheaside.RecordStoreRefused:
			return nothing, nil
		case cacheaside.RecordTooLarge, cacheaside.RecordEncodeFailed, cacheaside.RecordUnfenced, cacheaside.RecordPending, cacheaside.RecordSuperseded:
		}
	case cacheaside.RecordNone:
	}
	return "", fmt.Errorf("outcome %s %s: %w", outcome.Certainty, outcome.Reason, outcome.Err)
}

// remove deletes the entry, as an eviction does.
func (a *adapted) remove(ctx context.Context, key string) result {
	secret, err := hkdf.Key(sha256.New, a.cfg.Secret, nil, "cacheaside/2/key", 32)
	if err != nil {
		return nothing
	}
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte("s" + key))
	slot := base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:16])
	return deleted(ctx, a.client, "proof:linear:-:{"+slot+"}:v")
}

func deleted(ctx context.Context, client *redis.Client, key string) result {
	ctx, cancel := context.WithTimeout(ctx, 120*time.Millisecond)
	defer cancel()
	var failed *net.OpError
	switch err := client.Del(ctx, key).Err(); {
	case err == nil:
		return applied
	case errors.As(err, &failed) && failed.Op == "dial":
		return nothing
	}
	return unknown
}

// filler makes a value larger than what a script is handed.
var filler = strings.Repeat("0123456789abcdef", 5<<10)

// textOf is the value of a number. Every byte of it tells that it is whole.
func textOf(value int, large bool) string {
	text := strconv.Itoa(value)
	if large {
		text += ":" + filler + ":" + text
	}
	return text
}

func numberOf(text string) (int, error) {
	head, _, large := strings.Cut(text, ":")
	value, err := strconv.Atoi(head)
	if err != nil || text != textOf(value, large) {
		return 0, fmt.Errorf("read %d bytes that nobody wrote: %.20q", len(text), text)
	}
	return value, nil
}
