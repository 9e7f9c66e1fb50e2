package cacheaside_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

// inside runs f in a load of key and gives what the outer Get gave.
func inside(ctx context.Context, r *stringRegion, key string, f func(ctx context.Context)) outcome {
	return get(ctx, r, key, func(ctx context.Context, _ string) cacheaside.SourceOutcome[string] {
		f(ctx)
		return cacheaside.Loaded("value", "")
	})
}

func TestAGetOfAKeyFromInsideItsOwnLoadIsRefusedAtOnce(t *testing.T) {
	for _, row := range []struct {
		name   string
		derive func(ctx context.Context) context.Context
	}{
		{"the load's own context", func(ctx context.Context) context.Context { return ctx }},
		{"one without cancel", context.WithoutCancel},
		{"one with a value", func(ctx context.Context) context.Context { return context.WithValue(ctx, valueKey("k"), 1) }},
		{"one with a timeout", func(ctx context.Context) context.Context {
			timed, cancel := context.WithTimeout(ctx, time.Minute)
			context.AfterFunc(ctx, cancel)
			return timed
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRegion(t, &scripted{}, func(cfg *cacheaside.RegionConfig[string, string]) {
					// The chain is the library's own: a hook that drops the caller's values does not drop it.
					cfg.LoadContext = func(context.Context) context.Context { return context.Background() }
				})
				var inner outcome
				outer := inside(context.Background(), r, "key", func(ctx context.Context) { inner = get(row.derive(ctx), r, "key", mustNotLoad(t)) })
				wantRejected(t, inner, cacheaside.ReasonReentrant)
				wantAtOnce(t, inner)
				wantValue(t, outer, cacheaside.StatusLoaded, "value")
				wantAtRest(t, r, 16)
			})
		})
	}
}

func TestAReentrantGetIsRefusedThroughOtherKeysAndOtherRegionsToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		one, other := newRegion(t, &scripted{}), newRegion(t, &scripted{})
		var inner outcome
		var between []outcome
		outer := inside(context.Background(), one, "a", func(ctx context.Context) {
			between = append(between, inside(ctx, one, "b", func(ctx context.Context) {
				// The same key text in another region of the same name is another key.
				between = append(between, inside(ctx, other, "a", func(ctx context.Context) { inner = get(ctx, one, "a", mustNotLoad(t)) }))
			}))
		})
		wantRejected(t, inner, cacheaside.ReasonReentrant)
		for _, o := range append(between, outer) {
			wantValue(t, o, cacheaside.StatusLoaded, "value")
		}
		wantAtRest(t, one, 16)
		wantAtRest(t, other, 16)
	})
}

func TestAReentrantGetIsNotExcusedByAStaleValue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache := &scripted{lookup: always(stale("old", time.Now().Add(time.Hour)))}
		r := newRegion(t, cache, policy(func(p *cacheaside.Policy) {
			p.ServeStale = cacheaside.StaleRules{OnTransient: true, OnRejected: true, OnDeadline: true}
		}))
		var inner outcome
		inside(context.Background(), r, "key", func(ctx context.Context) { inner = get(ctx, r, "key", mustNotLoad(t)) })
		wantRejected(t, inner, cacheaside.ReasonReentrant)
	})
}

func TestAHitIsServedFromInsideTheKeysOwnLoad(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache := &scripted{}
		cache.lookup = func(context.Context, string) cacheaside.Lookup[string] {
			if cache.lookedUp() == 1 {
				return missing()
			}
			return fresh("by another process")
		}
		r := newRegion(t, cache)
		var inner outcome
		inside(context.Background(), r, "key", func(ctx context.Context) { inner = get(ctx, r, "key", mustNotLoad(t)) })
		wantValue(t, inner, cacheaside.StatusFresh, "by another process")
	})
}

func TestAGoroutineThatOutlivesTheLoadIsNotInsideOfItAnyMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRegion(t, &scripted{})
		outlived := make(chan outcome, 1)
		outer := inside(context.Background(), r, "key", func(ctx context.Context) {
			go func() {
				<-time.After(time.Second)
				outlived <- get(context.WithoutCancel(ctx), r, "key", returning(cacheaside.Loaded("again", "")))
			}()
		})
		wantValue(t, outer, cacheaside.StatusLoaded, "value")
		wantValue(t, <-outlived, cacheaside.StatusLoaded, "again")
		wantAtRest(t, r, 16)
	})
}

func TestTwoLoadsThatWaitForEachOtherEndAtTheirDeadlines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRegion(t, &scripted{})
		waitsFor := func(other string) cacheaside.Loader[string, string] {
			return func(ctx context.Context, _ string) cacheaside.SourceOutcome[string] {
				<-time.After(10 * time.Millisecond) // until both are running
				return cacheaside.Unclassified[string](get(ctx, r, other, mustNotLoad(t)).err)
			}
		}
		first, second := goGet(context.Background(), r, "a", waitsFor("b")), goGet(context.Background(), r, "b", waitsFor("a"))
		for _, ended := range []<-chan outcome{first, second} {
			o := <-ended
			wantRejected(t, o, cacheaside.ReasonLoadDeadline)
			if o.took != time.Second {
				t.Fatalf("ended after %v", o.took)
			}
		}
		wantAtRest(t, r, 16)
	})
}

// TestC28_AParentThatWaitsForItsChildrenNeverHoldsThePermitForEver fills every permit with parents whose loads ask for children. The first child
// is refused, and a parent that gives up on it makes room for the child of the next.
func TestC28_AParentThatWaitsForItsChildrenNeverHoldsThePermitForEver(t *testing.T) {
	const wait = 200 * time.Millisecond
	for _, permits := range []int{1, 2} {
		synctest.Test(t, func(t *testing.T) {
			r := newRegion(t, &scripted{}, policy(func(p *cacheaside.Policy) {
				p.SourceConcurrency, p.MaxOverduePerKey, p.AdmissionWait = permits, 1, wait
			}))
			parent := func(ctx context.Context, key string) cacheaside.SourceOutcome[string] {
				<-time.After(time.Millisecond) // until every parent has its permit
				child := get(ctx, r, key+"'s child", returning(cacheaside.Loaded("child", "")))
				if child.took != wait {
					t.Errorf("the child ended after %v", child.took)
				}
				if child.err != nil {
					return cacheaside.TransientFailure[string]("child_rejected", child.err)
				}
				return cacheaside.Loaded(child.result.Value, "")
			}
			refused := 0
			crowdOfKeys(permits, r, "parent", parent).each(func(o outcome) {
				if o.took != wait+time.Millisecond {
					t.Fatalf("a parent ended after %v", o.took)
				}
				if o.err == nil {
					return
				}
				refused++
				var failure *cacheaside.SourceError
				if !errors.As(o.err, &failure) || failure.Code != "child_rejected" || reasonOf(o) != cacheaside.ReasonAdmissionTimeout {
					t.Fatalf("a parent got %v", o.err)
				}
			})
			if refused == 0 {
				t.Fatal("no child was refused although its parents held every permit")
			}
			wantAtRest(t, r, permits)
		})
	}
}
