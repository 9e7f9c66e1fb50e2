package lease_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/cacheaside/resilience/internal/redistest"
	"github.com/cacheaside/resilience/lease"
)

// short is a lease that is waited for, by the server's clock.
const short = 200 * time.Millisecond

func TestC126_AReleaseAfterTheLeaseDoesNotFreeSomebodyElses(t *testing.T) {
	server := redistest.Start(t, redistest.Options{})
	cfg := config()
	a, b, c := openStore(t, server.Client(), cfg), openStore(t, server.Client(), cfg), openStore(t, server.Client(), cfg)
	monitor := server.Monitor()

	first := take(t, a, "k", "a", short)
	whenOver(t, a, "k")
	second := take(t, b, "k", "b", time.Minute)
	monitor.Sync()
	monitor.Reset()
	release(t, a, "k", first.Token, lease.LostSuperseded)
	monitor.Sync()
	if sent := monitor.Count("EVALSHA") + monitor.Count("EVAL"); sent > 2 || monitor.Count("DEL")+monitor.CountInScripts("DEL") > 0 {
		t.Errorf("a release is %v", monitor.Commands()) // a script that is not loaded is sent twice, and executed once
	}
	wantHeld(t, c, "k", "b")
	if seen, err := c.Inspect(context.Background(), "k"); err != nil || !seen.Live || seen.Token != second.Token {
		t.Errorf("%+v, %v, want b's", seen, err)
	}
}

// TestC126_AReleaseThatIsHeldUpOnItsWayDecidesWhenItArrives stops a release in front of the server until the lease is another's.
func TestC126_AReleaseThatIsHeldUpOnItsWayDecidesWhenItArrives(t *testing.T) {
	server := redistest.Start(t, redistest.Options{})
	cfg := config()
	proxy := redistest.StartProxy(t, server.Addr())
	a, b := openStore(t, via(t, proxy.Addr()), cfg), openStore(t, server.Client(), cfg)
	release(t, a, "warm", take(t, a, "warm", "a", time.Minute).Token, lease.NotLost)

	first := take(t, a, "k", "a", time.Minute)
	passed := proxy.Count("EVALSHA")
	gate := make(chan struct{})
	proxy.Inject(redistest.Fault{Kind: redistest.StallRequest, Commands: []string{"EVALSHA"}, Times: 1, Until: gate})
	type answer struct {
		lease.Released
		err error
	}
	answered := make(chan answer, 1)
	go func() {
		r, err := a.Release(context.Background(), "k", first.Token)
		answered <- answer{r, err}
	}()
	proxy.WaitForCommand("EVALSHA", passed+1)
	age(t, server.Client(), cfg, time.Minute)
	take(t, b, "k", "b", time.Minute)
	close(gate)
	if got := <-answered; got.err != nil || got.Lost != lease.LostSuperseded {
		t.Errorf("%+v, want superseded", got)
	}
	wantHeld(t, b, "k", "b")
}

// TestC127_AHolderThatWakesTooLateHasLostWhateverItAsks lets the server's own clock end the lease, beside a holder that sleeps.
func TestC127_AHolderThatWakesTooLateHasLostWhateverItAsks(t *testing.T) {
	server := redistest.Start(t, redistest.Options{})
	cfg := config()
	a, b := openStore(t, server.Client(), cfg), openStore(t, server.Client(), cfg)
	ctx := context.Background()

	began := time.Now()
	first := take(t, a, "k", "a", short)
	whenOver(t, b, "k")
	if slept := time.Since(began); slept < short {
		t.Errorf("a lease of %v is over after %v", short, slept)
	}
	if first.ValidAt(time.Now()) {
		t.Error("the holder may still count on a lease that is over")
	}
	second := take(t, b, "k", "b", time.Minute)
	if second.Token <= first.Token {
		t.Errorf("token %d after %d", second.Token, first.Token)
	}
	if r, err := a.Renew(ctx, "k", first.Token, time.Minute); err != nil || r.Lost != lease.LostSuperseded {
		t.Errorf("the zombie's renewal: %+v, %v", r, err)
	}
	release(t, a, "k", first.Token, lease.LostSuperseded)
	wantHeld(t, a, "k", "b")
	if r, err := b.Renew(ctx, "k", second.Token, time.Minute); err != nil || r.Lost != lease.NotLost {
		t.Errorf("the new holder's renewal: %+v, %v", r, err)
	}
}

// TestC132_NoClientsClockDecidesHowLongALeaseIs has clients twenty years off, over a line that keeps answers back for longer than the lease, and for less.
func TestC132_NoClientsClockDecidesHowLongALeaseIs(t *testing.T) {
	server := redistest.Start(t, redistest.Options{})
	const delay = 300 * time.Millisecond
	for name, off := range map[string]time.Duration{"behind": -20 * 365 * 24 * time.Hour, "right": 0, "ahead": 20 * 365 * 24 * time.Hour} {
		t.Run(name, func(t *testing.T) {
			cfg := config()
			right := openStore(t, server.Client(), cfg)
			cfg.Clock = skewed(off)
			proxy := redistest.StartProxy(t, server.Addr())
			wrong := openStore(t, via(t, proxy.Addr()), cfg)

			granted := take(t, wrong, "whole", "a", time.Minute)
			wantHeld(t, right, "whole", "a")
			if left := granted.ValidUntil.Sub(cfg.Clock.Now()); left <= 0 || left > time.Minute {
				t.Errorf("a client whose clock is wrong counts on %v", left)
			}

			proxy.Inject(redistest.Fault{Kind: redistest.Delay, Commands: []string{"EVALSHA"}, Delay: delay})
			for key, row := range map[string]struct {
				ttl  time.Duration
				kind lease.AcquireKind
			}{
				"shorter": {delay / 3, lease.Late},
				"longer":  {time.Minute, lease.Granted},
			} {
				a, err := wrong.Acquire(context.Background(), key, "a", lease.NewRequestID(), row.ttl)
				arrived := cfg.Clock.Now()
				if err != nil || a.Kind != row.kind {
					t.Errorf("%s than the answer took: %+v, %v, want %v", key, a, err, row.kind)
				}
				if left := a.Grant.ValidUntil.Sub(arrived); left > row.ttl-delay {
					t.Errorf("%s: %v are left, want at most %v", key, left, row.ttl-delay)
				}
			}
			r, err := wrong.Renew(context.Background(), "whole", granted.Token, delay/3)
			if err != nil || r.Lost != lease.LostLate || r.Grant.ValidAt(cfg.Clock.Now()) {
				t.Errorf("a renewal that took longer than the lease: %+v, %v", r, err)
			}
		})
	}
}

func TestTheServersClockEndsALeaseAndNobodyElseDoes(t *testing.T) {
	server := redistest.Start(t, redistest.Options{})
	cfg := config()
	cfg.MaxHold = 3 * short
	store := openStore(t, server.Client(), cfg)
	began := time.Now()
	granted := take(t, store, "k", "a", short)
	for {
		r, err := store.Renew(context.Background(), "k", granted.Token, short)
		if err != nil {
			t.Fatal(err)
		}
		if r.Lost != lease.NotLost && r.Lost != lease.LostLate { // late: what is left to MaxHold is shorter than the answer takes
			if r.Lost != lease.LostMaxHold && r.Lost != lease.LostExpired { // expired: this machine was slower than the lease
				t.Errorf("lost as %v", r.Lost)
			}
			break
		}
		if time.Since(began) > 20*time.Second {
			t.Fatal("it is renewed for ever")
		}
	}
	if held := time.Since(began); held < short {
		t.Errorf("lost after %v", held)
	}
	if next := take(t, store, "k", "b", short); next.Token <= granted.Token {
		t.Errorf("token %d after %d", next.Token, granted.Token)
	}
	if _, err := store.Acquire(context.Background(), "k", "b", lease.NewRequestID(), cfg.MaxHold+1); !errors.Is(err, lease.ErrNoDecision) {
		t.Errorf("longer than it may be held: %v", err)
	}
}
