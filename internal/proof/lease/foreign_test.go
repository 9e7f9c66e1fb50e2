package lease_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/internal/redistest"
	"github.com/cacheaside/resilience/lease"
	"github.com/cacheaside/resilience/redisadapter"
)

// far is an end of leases that no test lives to see, in microseconds.
const far = "8000000000000000"

// recordOf is a live record as a store writes it, but for what a hand has altered: names and values, where a value of "gone" takes the field out.
func recordOf(altered ...string) map[string]string {
	record := map[string]string{"token": "5", "owner": "a", "expires": far, "limit": far, "request": strings.Repeat("r", 16)}
	for i := 0; i+1 < len(altered); i += 2 {
		record[altered[i]] = altered[i+1]
	}
	maps.DeleteFunc(record, func(_, value string) bool { return value == "gone" })
	return record
}

// planted is a store whose one key has something else put under its name.
func planted(t *testing.T, client *redis.Client, plant func(pipe redis.Pipeliner, key string)) (store *redisadapter.LeaseStore, key string) {
	t.Helper()
	cfg := config()
	store = openStore(t, client, cfg)
	take(t, store, "k", "a", time.Minute)
	key = keysOf(t, client, cfg)[0]
	if _, err := client.TxPipelined(context.Background(), func(pipe redis.Pipeliner) error {
		pipe.Del(context.Background(), key)
		plant(pipe, key)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return store, key
}

func hash(record map[string]string) func(redis.Pipeliner, string) {
	return func(pipe redis.Pipeliner, key string) { pipe.HSet(context.Background(), key, record) }
}

func TestWhatIsNoLeaseRecordIsLeftAsItIs(t *testing.T) {
	client := redistest.Start(t, redistest.Options{}).Client()
	ctx := context.Background()
	plants := map[string]func(redis.Pipeliner, string){
		"a string":          func(pipe redis.Pipeliner, key string) { pipe.Set(ctx, key, "x", 0) },
		"a list":            func(pipe redis.Pipeliner, key string) { pipe.RPush(ctx, key, "x") },
		"another hash":      hash(map[string]string{"foo": "bar"}),
		"a token alone":     hash(map[string]string{"token": "5"}),
		"no token":          hash(recordOf("token", "gone")),
		"no expiry":         hash(recordOf("expires", "gone")),
		"no limit":          hash(recordOf("limit", "gone")),
		"no owner":          hash(recordOf("owner", "gone")),
		"the token 0":       hash(recordOf("token", "0")),
		"past its limit":    hash(recordOf("limit", "7999999999999999")),
		"an owner too long": hash(recordOf("owner", strings.Repeat("o", lease.MaxOwnerBytes+1))),
		"an owner of two":   hash(recordOf("owner", "a b")),
	}
	for _, odd := range []string{
		"", "x", "nan", "-nan", "inf", "-inf", "1e300", "-5", "0.5", "5.0", "05", "+5", " 5", "5 ", "0x5", "1e3", "5\x00", "9007199254740992", strings.Repeat("9", 400),
	} {
		for _, field := range []string{"token", "expires", "limit"} {
			plants[field+" of "+odd] = hash(recordOf(field, odd))
			plants[field+" of "+odd+", over"] = hash(recordOf("expires", "0", field, odd))
		}
	}
	for name, plant := range plants {
		store, key := planted(t, client, plant)
		stored := func() string {
			return fmt.Sprint(client.Type(ctx, key).Val(), client.Get(ctx, key).Val(), client.LRange(ctx, key, 0, -1).Val(), client.HGetAll(ctx, key).Val(), client.PTTL(ctx, key).Val())
		}
		before := stored()
		wantNone := func(op string, err error) {
			t.Helper()
			var failure *redisadapter.StoreError
			if !errors.Is(err, lease.ErrNoDecision) || !errors.As(err, &failure) || failure.Fault != redisadapter.FaultWrongType {
				t.Errorf("%.40q: %s is told %v, want no decision", name, op, err)
			}
		}
		_, err := store.Acquire(ctx, "k", "a", lease.NewRequestID(), time.Minute)
		wantNone("acquire", err)
		for _, token := range []lease.Token{0, 5, lease.MaxToken} {
			_, err = store.Renew(ctx, "k", token, time.Minute)
			wantNone("renew", err)
			_, err = store.Release(ctx, "k", token)
			wantNone("release", err)
		}
		_, err = store.Inspect(ctx, "k")
		wantNone("inspect", err)
		if after := stored(); after != before || strings.HasPrefix(before, "none") {
			t.Errorf("%.40q was changed to %.200q", name, after)
		}
	}
}

// TestARecordThatIsOneIsTakenForOne so that it is not the harness of the test above that finds none.
func TestARecordThatIsOneIsTakenForOne(t *testing.T) {
	client := redistest.Start(t, redistest.Options{}).Client()
	ctx := context.Background()
	longest := strings.Repeat("o", lease.MaxOwnerBytes)
	store, _ := planted(t, client, hash(recordOf("owner", longest, "more", "than it needs")))
	wantHeld(t, store, "k", longest)
	if r, err := store.Renew(ctx, "k", 5, time.Minute); err != nil || r.Lost != lease.NotLost {
		t.Errorf("renewed: %+v, %v", r, err)
	}
	release(t, store, "k", 5, lease.NotLost)
	take(t, store, "k", "b", time.Minute)

	last, _ := planted(t, client, hash(recordOf("token", "9007199254740991")))
	wantHeld(t, last, "k", "a")
	release(t, last, "k", lease.MaxToken, lease.NotLost)
	var failure *redisadapter.StoreError
	if _, err := last.Acquire(ctx, "k", "b", lease.NewRequestID(), time.Minute); !errors.Is(err, lease.ErrNoDecision) || !errors.As(err, &failure) {
		t.Errorf("after the last token: %v, want no decision", err)
	}
	if seen, err := last.Inspect(ctx, "k"); err != nil || seen != (lease.Inspection{Token: lease.MaxToken}) {
		t.Errorf("after the last token: %+v, %v", seen, err)
	}
}
