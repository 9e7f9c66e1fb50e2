package cacheaside_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/cacheaside/memory"
)

// User is what the examples read.
type User struct{ Name string }

// users is a repository as services have them.
type users struct{ rows map[int64]User }

func (u users) Find(_ context.Context, id int64) (User, error) {
	if user, ok := u.rows[id]; ok {
		return user, nil
	}
	return User{}, fmt.Errorf("users: %w", sql.ErrNoRows)
}

func userRegion() *cacheaside.Region[int64, User] {
	cache, err := memory.New(memory.Config[int64, User]{
		TTL:        memory.TTL{Soft: time.Minute, Hard: time.Hour, Negative: 10 * time.Second},
		MaxEntries: 10_000,
	})
	if err != nil {
		panic(err)
	}
	region, err := cacheaside.NewRegion(cacheaside.RegionConfig[int64, User]{
		Name: "users", Cache: cache, Policy: cacheaside.BalancedPolicy(), AbsentErr: sql.ErrNoRows,
	})
	if err != nil {
		panic(err)
	}
	return region
}

func ExampleGet() {
	ctx := context.Background()
	region := userRegion()
	repository := users{rows: map[int64]User{7: {Name: "Ada"}}}
	load := cacheaside.Classify(repository.Find, cacheaside.Rules[User]{
		Absent:    func(err error) bool { return errors.Is(err, sql.ErrNoRows) },
		Transient: func(err error) (string, bool) { return "timeout", errors.Is(err, context.DeadlineExceeded) },
	})

	for range 2 {
		user, err := cacheaside.Get(ctx, region, 7, load)
		fmt.Println(user.Status, user.Value.Name, err)
	}
	for range 2 {
		user, err := cacheaside.Get(ctx, region, 8, load)
		fmt.Println(user.Status, errors.Is(err, cacheaside.ErrAbsent), errors.Is(err, sql.ErrNoRows))
	}
	// Output:
	// Loaded Ada <nil>
	// Fresh Ada <nil>
	// Absent true true
	// NegativeHit true true
}

func ExampleRead() {
	region := userRegion()
	user, err := cacheaside.Read(context.Background(), region, 7, func(_ context.Context, id int64) (User, error) {
		return User{Name: "Ada"}, nil
	})
	fmt.Println(user.Status, user.Value.Name, err)
	// Output: Loaded Ada <nil>
}

func ExampleBind() {
	repository := users{rows: map[int64]User{7: {Name: "Ada"}}}
	bound := cacheaside.Bind(userRegion(), cacheaside.Classify(repository.Find, cacheaside.Rules[User]{}))

	// The reading code knows no cache: only this.
	var reader interface {
		Get(ctx context.Context, id int64) (cacheaside.Result[User], error)
	} = bound
	user, err := reader.Get(context.Background(), 7)
	fmt.Println(user.Status, user.Value.Name, err)
	// Output: Loaded Ada <nil>
}

func ExampleInvalidate() {
	ctx := context.Background()
	region := userRegion()
	repository := users{rows: map[int64]User{7: {Name: "Ada"}}}
	bound := cacheaside.Bind(region, cacheaside.Classify(repository.Find, cacheaside.Rules[User]{}))
	before, _ := bound.Get(ctx, 7)

	repository.rows[7] = User{Name: "Ada Lovelace"} // the source first
	err := cacheaside.Invalidate(ctx, region, 7)    // then the cache
	after, _ := bound.Get(ctx, 7)
	fmt.Println(before.Value.Name, "->", after.Value.Name, after.Status, err)
	// Output: Ada -> Ada Lovelace Loaded <nil>
}

func ExampleClassify() {
	busy := errors.New("connection pool exhausted")
	load := cacheaside.Classify(
		func(context.Context, int64) (User, error) { return User{}, busy },
		cacheaside.Rules[User]{Transient: func(err error) (string, bool) { return "pool", errors.Is(err, busy) }},
	)
	_, err := cacheaside.Get(context.Background(), userRegion(), 7, load)
	var failure *cacheaside.SourceError
	fmt.Println(errors.As(err, &failure), failure.Transient, failure.Code, errors.Is(err, busy))
	fmt.Println(err)
	// Output:
	// true true pool true
	// cacheaside: region users: transient source failure (pool)
}

func ExampleMarkTransient() {
	read := func(context.Context, int64) (User, error) {
		return User{}, cacheaside.MarkTransient(errors.New("429 from the provider"), "throttled")
	}
	_, err := cacheaside.Read(context.Background(), userRegion(), 7, read)
	fmt.Println(err)
	// Output: cacheaside: region users: transient source failure (throttled)
}

func ExampleNewRegion_faults() {
	_, err := cacheaside.NewRegion(cacheaside.RegionConfig[int64, User]{Name: "users", Policy: cacheaside.Policy{SourceConcurrency: 4}})
	fmt.Println(err)
	// Output:
	// cacheaside: Cache is nil, is required
	// cacheaside: MaxInFlightKeys is 0, must be 1 to 1048576
	// cacheaside: MaxOverduePerKey is 0, must be 1 to 1048576
	// cacheaside: LoadDeadline is 0s, must be positive
	// cacheaside: Incompatible is Unknown, must be FailFast or QuarantineAndReload
	// cacheaside: Future is Unknown, must be FailFast or LoadOnly
	// cacheaside: Corrupt is Unknown, must be FailFast or LoadOnly
}

func ExampleRegion_Stats() {
	region := userRegion()
	_, _ = cacheaside.Read(context.Background(), region, 7, func(context.Context, int64) (User, error) { return User{}, nil })
	stats := region.Stats()
	fmt.Println(stats.InFlightKeys, stats.RunningLoads, stats.ByStatus[cacheaside.StatusLoaded])
	// Output: 0 0 1
}

func ExampleObserverFunc() {
	cache, _ := memory.New(memory.Config[string, string]{
		TTL: memory.TTL{Soft: time.Minute, Hard: time.Hour, Negative: 10 * time.Second}, MaxEntries: 100,
	})
	region, _ := cacheaside.NewRegion(cacheaside.RegionConfig[string, string]{
		Name: "pages", Cache: cache, Policy: cacheaside.StrictPolicy(),
		Observer: cacheaside.ObserverFunc(func(event cacheaside.Event) {
			if event.Kind == cacheaside.EventGet {
				fmt.Println(event.Region, event.Status, event.Lookup, event.Miss)
			}
		}),
	})
	read := func(context.Context, string) (string, error) { return "<html>", nil }
	_, _ = cacheaside.Read(context.Background(), region, "/", read)
	_, _ = cacheaside.Read(context.Background(), region, "/", read)
	// Output:
	// pages Loaded Miss Absent
	// pages Fresh Fresh Unknown
}
