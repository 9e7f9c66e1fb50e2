package lease_test

import (
	"context"
	"errors"
	"strconv"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/internal/redistest"
	"github.com/cacheaside/resilience/lease"
	"github.com/cacheaside/resilience/lease/leasetest"
)

// idiom is the store that is found in most programs: SET NX PX, PEXPIRE and DEL. It has no tokens.
type idiom struct {
	client   *redis.Client
	deadline bool // it sends a deadline of the caller's clock, PXAT, and not a duration
	off      time.Duration
}

const noToken lease.Token = 1

func (i *idiom) Acquire(ctx context.Context, key, owner string, _ lease.RequestID, ttl time.Duration) (lease.Acquired, error) {
	began := time.Now()
	set := []any{"set", key, owner, "nx", "px", ttl.Milliseconds()}
	if i.deadline {
		set = []any{"set", key, owner, "nx", "pxat", began.Add(i.off + ttl).UnixMilli()}
	}
	err := i.client.Do(ctx, set...).Err()
	switch {
	case err == nil:
		return lease.AcquiredAt(lease.NewGrant(noToken, began.Add(ttl), began, began), time.Now()), nil
	case !errors.Is(err, redis.Nil):
		return lease.Acquired{}, lease.NoDecision(lease.OpAcquire, err)
	}
	seen, err := i.Inspect(ctx, key)
	return lease.Acquired{Kind: lease.Held, Owner: seen.Owner, Remaining: seen.Remaining}, err
}

func (i *idiom) Renew(ctx context.Context, key string, token lease.Token, ttl time.Duration) (lease.Renewed, error) {
	began := time.Now()
	there, err := i.client.PExpire(ctx, key, ttl).Result()
	switch {
	case err != nil:
		return lease.Renewed{}, lease.NoDecision(lease.OpRenew, err)
	case !there:
		return lease.Renewed{Lost: lease.LostExpired}, nil
	}
	return lease.Renewed{Grant: lease.NewGrant(token, began.Add(ttl), began, began)}, nil
}

func (i *idiom) Release(ctx context.Context, key string, _ lease.Token) (lease.Released, error) {
	deleted, err := i.client.Del(ctx, key).Result()
	switch {
	case err != nil:
		return lease.Released{}, lease.NoDecision(lease.OpRelease, err)
	case deleted == 0:
		return lease.Released{Lost: lease.LostExpired}, nil
	}
	return lease.Released{}, nil
}

func (i *idiom) Inspect(ctx context.Context, key string) (lease.Inspection, error) {
	owner, err := i.client.Get(ctx, key).Result()
	if errors.Is(err, redis.Nil) {
		return lease.Inspection{}, nil
	}
	left, ttlErr := i.client.PTTL(ctx, key).Result()
	if err := errors.Join(err, ttlErr); err != nil {
		return lease.Inspection{}, lease.NoDecision(lease.OpInspect, err)
	}
	return lease.Inspection{Live: true, Owner: owner, Token: noToken, Remaining: left}, nil
}

// twoSteps reads the record and decides in the client, then writes it.
type twoSteps struct{ idiom }

func (s *twoSteps) Acquire(ctx context.Context, key, owner string, _ lease.RequestID, ttl time.Duration) (lease.Acquired, error) {
	began := time.Now()
	seen, err := s.Inspect(ctx, key)
	if err != nil {
		return lease.Acquired{}, err
	}
	if seen.Live {
		return lease.Acquired{Kind: lease.Held, Owner: seen.Owner, Remaining: seen.Remaining}, nil
	}
	if err := s.client.Set(ctx, key, owner, ttl).Err(); err != nil {
		return lease.Acquired{}, lease.NoDecision(lease.OpAcquire, err)
	}
	return lease.AcquiredAt(lease.NewGrant(noToken, began.Add(ttl), began, began), time.Now()), nil
}

// ageLives is [age] for keys that the server lets expire.
func ageLives(t testing.TB, client *redis.Client, d time.Duration) {
	t.Helper()
	const script = `
		for _, key in ipairs(redis.call('KEYS', '*')) do
			local left = redis.call('PTTL', key)
			if left >= 0 then
				redis.call('PEXPIRE', key, left - ARGV[1])
			end
		end
		return 1`
	if err := client.Eval(context.Background(), script, nil, d.Milliseconds()).Err(); err != nil {
		t.Fatal(err)
	}
}

func TestStoresAsTheyAreOftenWrittenDoNotPassOnARealServer(t *testing.T) {
	server := redistest.Start(t, redistest.Options{})
	client := server.Client()
	subject := func(open func(off time.Duration) lease.Store) leasetest.NewSubject {
		return func(t testing.TB, _ leasetest.Options) leasetest.Subject {
			if err := client.FlushAll(context.Background()).Err(); err != nil {
				t.Fatal(err)
			}
			return leasetest.Subject{
				Store: open(0), Second: open(0), Skewed: open,
				Advance: func(d time.Duration) { ageLives(t, client, d) },
			}
		}
	}
	plain := func(time.Duration) lease.Store { return &idiom{client: client} }
	for _, wrong := range []struct {
		name    string
		subject leasetest.NewSubject
		red     []int
	}{
		{"SET NX PX and DEL", subject(plain), []int{4, 10, 12}},
		{"a deadline of the caller", subject(func(off time.Duration) lease.Store { return &idiom{client: client, deadline: true, off: off} }), []int{15}},
		{"read then write", subject(func(time.Duration) lease.Store { return &twoSteps{idiom{client: client}} }), []int{14}},
	} {
		for _, number := range wrong.red {
			t.Run(wrong.name+" "+strconv.Itoa(number), func(t *testing.T) {
				finding := leasetest.Try(t, leasetest.Assertions()[number-1], wrong.subject)
				if !finding.Failed || finding.Panicked != nil {
					t.Errorf("%+v, want it failed", finding)
				}
				t.Log(finding.Messages)
			})
		}
	}
	for _, fine := range []int{2, 7, 13} { // so that it is not the harness that fails them
		if finding := leasetest.Try(t, leasetest.Assertions()[fine-1], subject(plain)); finding.Failed || finding.Panicked != nil {
			t.Errorf("%d: %+v, want it passed", fine, finding)
		}
	}
}
