package cacheaside_test

import (
	"context"
	"errors"
	"net"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/cacheaside/resilience/cacheaside"
)

var errDriver = errors.New("i/o timeout")

// TestAnOutcomeThatMeansNothingIsTheDeadlineFromTheDeadlineOn sets a loader's return against the library's own timer, to the nanosecond.
func TestAnOutcomeThatMeansNothingIsTheDeadlineFromTheDeadlineOn(t *testing.T) {
	unclassified, cancelled := cacheaside.Unclassified[string](errDriver), cacheaside.Cancelled[string](errDriver)
	for _, row := range []struct {
		name   string
		out    cacheaside.SourceOutcome[string]
		early  time.Duration // before the deadline
		status cacheaside.Status
	}{
		{"unclassified, 1 ns before", unclassified, 1, cacheaside.StatusFailed},
		{"unclassified, on the deadline", unclassified, 0, cacheaside.StatusRejected},
		{"unclassified, 1 ns after", unclassified, -1, cacheaside.StatusRejected},
		{"cancelled, 1 ns before", cancelled, 1, cacheaside.StatusCancelled},
		{"cancelled, on the deadline", cancelled, 0, cacheaside.StatusRejected},
		{"cancelled, 1 ns after", cancelled, -1, cacheaside.StatusRejected},
	} {
		t.Run(row.name, func(t *testing.T) {
			for range 50 {
				synctest.Test(t, func(t *testing.T) {
					r := newRegion(t, &scripted{})
					crowd(5, r, "key", after(time.Second-row.early, row.out)).each(func(o outcome) {
						if o.result.Status != row.status {
							t.Fatalf("got %v, %v", o.result.Status, o.err)
						}
						if row.status == cacheaside.StatusRejected {
							wantRejected(t, o, cacheaside.ReasonLoadDeadline)
							if o.took != time.Second {
								t.Fatalf("released after %v", o.took)
							}
						} else if !errors.Is(o.err, errDriver) {
							t.Fatalf("error %v", o.err)
						}
					})
					<-time.After(time.Millisecond)
					wantEmpty(t, r)
				})
			}
		})
	}
}

func TestTheDeadlineCarriesTheErrorOfTheLoaderThatItEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRegion(t, &scripted{})
		// The loader returns as soon as its context ends, so whether its callers are released by it or by the library is a race. The status is not.
		withCause := 0
		for i := range 100 {
			o := get(context.Background(), r, strconv.Itoa(i), func(ctx context.Context, _ string) cacheaside.SourceOutcome[string] {
				<-ctx.Done()
				return cacheaside.Unclassified[string](errDriver)
			})
			wantRejected(t, o, cacheaside.ReasonLoadDeadline)
			if errors.Is(o.err, errDriver) {
				withCause++
			}
		}
		t.Logf("%d of 100 were released by the loader's return", withCause)
		wantAtRest(t, r, 16)
	})
}

// jumping is a clock whose time can be moved ahead of its timers, as a deadline is when a loader returns in the moment in which it passes.
type jumping struct {
	clock.Clock

	ahead atomic.Int64
}

func (c *jumping) Now() time.Time { return c.Clock.Now().Add(time.Duration(c.ahead.Load())) }

func TestWhatIsClassifiedKeepsItsMeaningHoweverLateItIs(t *testing.T) {
	for _, row := range []struct {
		name   string
		out    cacheaside.SourceOutcome[string]
		status cacheaside.Status
		reason cacheaside.Reason
	}{
		{"loaded", cacheaside.Loaded("value", ""), cacheaside.StatusLoaded, 0},
		{"absent", cacheaside.AuthoritativeAbsent[string]("gone", ""), cacheaside.StatusAbsent, 0},
		{"transient", cacheaside.TransientFailure[string]("down", errDriver), cacheaside.StatusFailed, 0},
		{"permanent", cacheaside.PermanentFailure[string]("denied", errDriver), cacheaside.StatusFailed, 0},
		{"no outcome", cacheaside.SourceOutcome[string]{}, cacheaside.StatusFailed, 0},
		{"unclassified", cacheaside.Unclassified[string](errDriver), cacheaside.StatusRejected, cacheaside.ReasonLoadDeadline},
		{"cancelled", cacheaside.Cancelled[string](errDriver), cacheaside.StatusRejected, cacheaside.ReasonLoadDeadline},
	} {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				late := &jumping{Clock: clock.New()}
				r := newRegion(t, &scripted{}, onClock(late))
				o := get(context.Background(), r, "key", func(context.Context, string) cacheaside.SourceOutcome[string] {
					late.ahead.Store(int64(time.Second))
					return row.out
				})
				if o.result.Status != row.status || reasonOf(o) != row.reason {
					t.Fatalf("got %v, %v", o.result.Status, o.err)
				}
				if row.reason != 0 && !errors.Is(o.err, errDriver) {
					t.Fatalf("the loader's error is not the cause of %v", o.err)
				}
				wantAtRest(t, r, 16)
			})
		})
	}
}

// TestASocketTimeoutAtTheDeadlineAlwaysEndsWithTheSameStatus runs on the wall clock, with sockets whose read deadline is the load context's, as
// drivers set it.
func TestASocketTimeoutAtTheDeadlineAlwaysEndsWithTheSameStatus(t *testing.T) {
	t.Parallel()
	silent, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var held sync.WaitGroup
	held.Go(func() {
		var all []net.Conn
		for {
			conn, err := silent.Accept()
			if err != nil {
				break
			}
			all = append(all, conn)
		}
		for _, conn := range all {
			_ = conn.Close()
		}
	})
	t.Cleanup(func() {
		_ = silent.Close()
		held.Wait()
	})
	r := newRegion(t, &scripted{}, policy(func(p *cacheaside.Policy) {
		p.SourceConcurrency, p.AdmissionWait, p.LoadDeadline = 20, 10*time.Second, 20*time.Millisecond
	}))
	read := func(ctx context.Context, _ string) (string, error) {
		conn, err := net.Dial("tcp", silent.Addr().String()) //nolint:noctx // only the read is to be timed out
		if err != nil {
			return "", err
		}
		defer func() { _ = conn.Close() }()
		deadline, ok := ctx.Deadline()
		if !ok {
			return "", errors.New("no deadline")
		}
		if err := conn.SetReadDeadline(deadline); err != nil {
			return "", err
		}
		_, err = conn.Read(make([]byte, 1))
		return "", err
	}
	load := cacheaside.Classify(read, cacheaside.Rules[string]{})
	var all callers
	for i := range 200 {
		all.add(context.Background(), r, strconv.Itoa(i), load)
	}
	all.each(func(o outcome) { wantRejected(t, o, cacheaside.ReasonLoadDeadline) })
}
