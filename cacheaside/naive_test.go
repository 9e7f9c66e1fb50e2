package cacheaside_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// findings is where a check tells what it found, so that a test can show that it finds it.
type findings struct{ list []string }

func (f *findings) addf(format string, args ...any) {
	f.list = append(f.list, fmt.Sprintf(format, args...))
}

// check is a promise that any coalescer can be held to.
type check struct {
	name string
	run  func(t testing.TB, f *findings, build func(record func(string)) coalescer)
}

type got struct {
	value string
	err   error
}

func goCoalesced(ctx context.Context, c coalescer, load func() string) <-chan got {
	ended := make(chan got, 1)
	go func() {
		value, err := c.get(ctx, "key", load)
		ended <- got{value, err}
	}()
	return ended
}

// noKeyIsPoisoned lets callers come while the result of a load is being recorded.
func noKeyIsPoisoned() check {
	return check{"a caller who comes while a load is ending poisons no key", func(t testing.TB, f *findings, build func(func(string)) coalescer) {
		t.Helper()
		recording, recorded := blocking()
		c := build(func(string) { recording() })
		load := func() string { return "value" }
		first := goCoalesced(context.Background(), c, load)
		synctest.Wait()
		during := goCoalesced(leavingAfter(t, time.Minute), c, load)
		synctest.Wait()
		recorded()
		for _, ended := range []<-chan got{first, during} {
			if g := <-ended; g.err != nil || g.value != "value" {
				f.addf("a caller of the load got %q, %v", g.value, g.err)
			}
		}
		synctest.Wait()
		if left := c.inFlight(); left != 0 {
			f.addf("%d loads left in the books after everybody has been answered", left)
		}
		if g := <-goCoalesced(leavingAfter(t, time.Minute), c, load); g.err != nil || g.value != "value" {
			f.addf("the next caller got %q, %v", g.value, g.err)
		}
	}}
}

// noTwoLiveLoads lets two callers of one hung load come half a second apart, and a new load begin after it was over.
func noTwoLiveLoads() check {
	return check{"the end of an old load lets no second one start beside a newer one", func(t testing.TB, f *findings, build func(func(string)) coalescer) {
		t.Helper()
		c := build(func(string) {})
		hung, release := blocking()
		old := func() string { hung(); return "old" }
		first := goCoalesced(context.Background(), c, old)
		<-time.After(loadLimit / 2)
		second := goCoalesced(context.Background(), c, old)
		<-first
		<-time.After(loadLimit / 10)

		var newer atomic.Int64
		load := func() string { newer.Add(1); <-time.After(loadLimit * 8 / 10); return "new" }
		third := goCoalesced(context.Background(), c, load)
		<-second
		<-time.After(loadLimit / 2)
		fourth := goCoalesced(context.Background(), c, load)
		synctest.Wait()
		if n := newer.Load(); n != 1 {
			f.addf("%d live loads of one key at once", n)
		}
		release()
		<-third
		<-fourth
		synctest.Wait()
	}}
}

// nothingOfWhoLeft lets callers leave a blocked load.
func nothingOfWhoLeft() check {
	return check{"callers that left a blocked load leave nothing behind", func(t testing.TB, f *findings, build func(func(string)) coalescer) {
		t.Helper()
		const callers, allowed = 10_000, 10_000 * 16
		c := build(func(string) {})
		hung, release := blocking()
		load := func() string { hung(); return "value" }
		leader := goCoalesced(context.Background(), c, load)
		synctest.Wait()
		leave := func(n int) {
			for range n {
				ctx, cancel := context.WithTimeout(context.Background(), 10*time.Microsecond)
				if _, err := c.get(ctx, "key", load); err == nil {
					f.addf("a caller that left got a value")
				}
				cancel()
			}
		}
		leave(100)
		before := heap()
		leave(callers)
		if grown := int64(heap()) - int64(before); grown > allowed {
			f.addf("%d bytes kept of %d callers that left", grown, callers)
		}
		release()
		<-leader
		synctest.Wait()
	}}
}

func TestEachNaiveWayOfSharingALoadBreaksItsPromiseAndTheRegionKeepsAll(t *testing.T) {
	promises := []check{noKeyIsPoisoned(), noTwoLiveLoads(), nothingOfWhoLeft()}
	for _, row := range []struct {
		fixture fixture
		breaks  string
	}{
		{removedInsideFixture(), noKeyIsPoisoned().name},
		{forgetsByKeyFixture(), noTwoLiveLoads().name},
		{everybodyInDoChanFixture(), nothingOfWhoLeft().name},
		{theRegion(), ""},
	} {
		for _, promise := range promises {
			if row.breaks != "" && row.breaks != promise.name {
				continue
			}
			t.Run(row.fixture.name+": "+promise.name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					f := &findings{}
					promise.run(t, f, func(record func(string)) coalescer { return row.fixture.build(t, record) })
					switch broken := len(f.list) > 0; {
					case broken && row.breaks == "":
						t.Fatalf("the region breaks it: %v", f.list)
					case !broken && row.breaks != "":
						t.Fatal("the check does not find the fault that it is there for")
					}
					t.Log(f.list)
				})
			})
		}
	}
}
