package faults_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/internal/redistest"
)

// atOnceTogether is how many cells run at the same time. Most of them wait.
const atOnceTogether = 18

func TestTheMatrixOfFaultsHoldsOnEveryClient(t *testing.T) {
	t.Parallel()
	admin := redistest.Start(t, redistest.Options{}).Client()
	loadScripts(t, admin)
	for _, kind := range clientKinds() {
		seen := newTally()
		t.Run(kind, func(t *testing.T) {
			together(t, matrix(), name, func(t *testing.T, c cell) { seen.add(c, c.play(t, admin, kind)) })
		})
		t.Logf("%s client: outcome, GETRANGE/SET/EVALSHA sent, longest time\n%s", kind, seen)
	}
}

// together runs a subtest for each row, several at a time.
func together[R any](t *testing.T, rows []R, name func(R) string, run func(*testing.T, R)) {
	t.Helper()
	free := make(chan struct{}, atOnceTogether)
	var all sync.WaitGroup
	for _, row := range rows {
		free <- struct{}{}
		all.Go(func() {
			defer func() { <-free }()
			t.Run(name(row), func(t *testing.T) { run(t, row) })
		})
	}
	all.Wait()
}

// sighting is what was seen of one cell.
type sighting struct {
	outcome outcome
	sent    sent
	took    time.Duration
}

// limit is the time limit of the cell's cache.
func (c cell) limit() time.Duration {
	if c.ends == atLimit {
		return shortLimit
	}
	return longLimit
}

// play inflicts the fault on the operation, compares what comes of it with the row, and shows that nothing of it is left once the proxy is healed.
func (c cell) play(t *testing.T, admin *redis.Client, kind string) sighting {
	p := newPlace(t, admin, c.limit())
	client := newClient(t, kind, p.proxy.Addr())
	tested := open(t, client, p.config)
	condition := c.prepare(t, p, client)
	before := p.seen(t)
	inject := func() time.Duration { return p.inject(client, c.fault, c.operation.command()) }
	var away time.Duration        // inside the call, and none of its time
	if c.operation == swapLarge { // the first command goes through
		client.AddHook(&onCommand{name: "evalsha", do: func() { away = inject() }})
	} else {
		inject()
	}
	begun := time.Now()
	got := c.do(t, tested, condition)
	took := time.Since(begun) - away
	seen := sighting{got, p.seen(t).since(before), took}
	p.proxy.Heal()

	if got != c.outcome || seen.sent != c.sent {
		t.Errorf("%s, sent %v; want %s, sent %v", got, seen.sent, c.outcome, c.sent)
	}
	c.checkTime(t, took)
	c.checkHeld(t, p)
	c.checkRecovery(t, p, p.next(t, client))
	c.checkPool(t, client)
	return seen
}

// prepare makes the server such that the operation would succeed, and the client one that has a connection.
func (c cell) prepare(t *testing.T, p *place, client redis.UniversalClient) cacheaside.Condition {
	t.Helper()
	for _, other := range others {
		p.write(t, other, "value of "+other)
	}
	var condition cacheaside.Condition
	if c.operation != recordAbsent {
		p.write(t, key, string(old))
		condition = p.observe(t, key)
	}
	if err := client.Ping(context.Background()).Err(); err != nil {
		t.Fatalf("PING: %v", err)
	}
	return condition
}

const key = "key"

// others are keys that no fault has to do with.
var others = []string{"other 1", "other 2", "other 3"}

// value is what the operation records.
func (o operation) value() string {
	if o == stageLarge || o == swapLarge {
		return strings.Repeat(string(renewed), largeBytes/len(renewed)+1)
	}
	return string(renewed)
}

// do is the operation. The cause of its outcome must be the row's.
func (c cell) do(t *testing.T, on *cache, condition cacheaside.Condition) outcome {
	t.Helper()
	ctx := context.Background()
	switch c.operation {
	case lookup:
		found := on.Lookup(ctx, key)
		if found.Kind != cacheaside.LookupUnavailable {
			return outcome(found.Kind.String())
		}
		wantFault(t, found.Err, c.cause)
		return unavailable
	case invalidate:
		return c.outcomeOf(t, on.Invalidate(ctx, key))
	default:
		return c.outcomeOf(t, on.Record(ctx, key, cacheaside.Entry[string]{Value: c.operation.value()}, condition))
	}
}

// outcomeOf names what a write came to, and checks what goes with it.
func (c cell) outcomeOf(t *testing.T, out cacheaside.RecordOutcome) outcome {
	t.Helper()
	wantFault(t, out.Err, c.cause)
	for _, known := range []outcome{applied, neverSent, indeterminate} {
		if certainty, reason := known.certainty(); out.Certainty != certainty || out.Reason != reason {
			continue
		}
		if out.HardExpiresAt.IsZero() != (known == neverSent) {
			t.Errorf("%s, and the hard expiry is %v", known, out.HardExpiresAt)
		}
		return known
	}
	return outcome(out.Certainty.String() + " " + out.Reason.String())
}

// onCommand is a hook of a client that does something once, before a command is sent.
type onCommand struct {
	name string
	do   func()
	done sync.Once
}

func (*onCommand) DialHook(next redis.DialHook) redis.DialHook { return next }

func (h *onCommand) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		if cmd.Name() == h.name {
			h.done.Do(h.do)
		}
		return next(ctx, cmd)
	}
}

func (*onCommand) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}
