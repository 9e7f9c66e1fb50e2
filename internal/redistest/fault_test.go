package redistest_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/cacheaside/resilience/internal/redistest"
)

func TestTheFirstFaultThatIsDueHitsACommand(t *testing.T) {
	t.Parallel()
	_, proxy, _ := through(t)
	proxy.Inject(
		redistest.Fault{Kind: redistest.SwallowAndKeep, Commands: []string{"INCR"}, After: 1, Times: 2},
		redistest.Fault{Kind: redistest.Truncate, Bytes: 1, Commands: []string{"INCR", "ECHO"}, After: 3},
	)
	client := dial(t, proxy.Addr())
	for range 5 {
		client.send("INCR", "n")
		client.send("PING")
	}
	client.send("ECHO", "not reached by a rule")
	// 1 passes both rules; 2 and 3 are swallowed; 4 and 5 are the second rule's
	// second and third and pass as well; ECHO is its fourth.
	if got, err := client.rest(); err != nil || got != ":1\r\n+PONG\r\n+PONG\r\n+PONG\r\n:4\r\n+PONG\r\n:5\r\n+PONG\r\n$" {
		t.Errorf("read %q, %v", got, err)
	}
}

func TestAFaultThatMakesNoSenseIsRefused(t *testing.T) {
	t.Parallel()
	set := make(chan struct{})
	for field, faults := range map[string][]redistest.Fault{
		"Kind":     {{}, {Kind: 99}},
		"Commands": {{Kind: redistest.Refuse, Commands: []string{"GET"}}},
		"After":    {{Kind: redistest.Cut, After: -1}, {Kind: redistest.HalfOpen, After: 1}},
		"Times":    {{Kind: redistest.Cut, Times: -1}, {Kind: redistest.Refuse, Times: 1}},
		"Bytes":    {{Kind: redistest.Truncate, Bytes: -1}, {Kind: redistest.Hold, Bytes: 1}},
		"Delay":    {{Kind: redistest.Delay}, {Kind: redistest.Delay, Delay: -1}, {Kind: redistest.Hold, Delay: 1}},
		"Until":    {{Kind: redistest.Cut, Until: set}},
	} {
		for _, fault := range faults {
			var refusal *redistest.FaultError
			if err := redistest.Check(fault); !errors.As(err, &refusal) || refusal.Field != field {
				t.Errorf("%+v: %v, want a refusal of %s", fault, err, field)
			} else if !strings.Contains(err.Error(), "Fault."+field+" is ") {
				t.Errorf("%+v: %q does not name the field", fault, err)
			}
		}
	}
}

func TestAProxyEndsWhateverIsHeldWithItsTest(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Options{})
	for _, kind := range []redistest.Kind{redistest.Hold, redistest.StallRequest, redistest.BlackHole, redistest.Delay} {
		t.Run(kind.String(), func(t *testing.T) {
			fault := redistest.Fault{Kind: kind}
			if kind == redistest.Delay {
				fault.Delay = time.Hour
			}
			proxy := redistest.StartProxy(t, server.Addr())
			proxy.Inject(fault)
			dial(t, proxy.Addr()).send("PING")
			proxy.WaitForFault(kind, 1)
		})
	}
}
