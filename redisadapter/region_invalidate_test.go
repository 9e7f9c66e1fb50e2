package redisadapter_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/internal/redistest"
)

// held is a load that has read its value and waits for the test before it returns it.
type held struct {
	reading, finish chan struct{}
	out             cacheaside.SourceOutcome[string]
}

func hold(out cacheaside.SourceOutcome[string]) *held {
	return &held{reading: make(chan struct{}), finish: make(chan struct{}), out: out}
}

func (h *held) load(context.Context, string) cacheaside.SourceOutcome[string] {
	close(h.reading)
	<-h.finish
	return h.out
}

// begin starts a Get whose load has read its value when begin returns.
func (h *held) begin(r *cacheaside.Region[string, string], key string) <-chan cacheaside.Result[string] {
	ended := make(chan cacheaside.Result[string], 1)
	go func() {
		result, _ := cacheaside.Get(context.Background(), r, key, h.load)
		ended <- result
	}()
	<-h.reading
	return ended
}

func TestC110_AnInvalidationDuringALoadWinsInOneProcess(t *testing.T) {
	_, client := started(t)
	r := region(t, client, patient(base()))
	old := hold(loads("v1"))
	ended := old.begin(r, "key")
	invalidate(t, r, "key")
	close(old.finish)
	if result := <-ended; result.Value != "v1" || result.Record.Certainty != cacheaside.RecordNotApplied {
		t.Fatalf("the waiting caller got %+v", result)
	}
	read(t, r, "key", newSource(loads("v2")).load, cacheaside.StatusLoaded, "v2")
	read(t, r, "key", notCalled(t), cacheaside.StatusFresh, "v2")
}

func TestAnInvalidationByAnotherProcessRefusesTheFillThatBeganBeforeIt(t *testing.T) {
	for name, warm := range map[string]bool{"of an absent key": false, "of a stale entry": true} {
		t.Run(name, func(t *testing.T) {
			_, client := started(t)
			cfg := patient(base())
			mock := mockNow()
			cfg.Clock = mock
			here, there := region(t, client, cfg), region(t, client, cfg)
			if warm {
				read(t, here, "key", newSource(loads("v0")).load, cacheaside.StatusLoaded, "v0")
				mock.Add(15 * time.Second)
			}
			old := hold(loads("v1"))
			ended := old.begin(here, "key")
			invalidate(t, there, "key")
			close(old.finish)
			result := <-ended
			if result.Value != "v1" || result.Record.Certainty != cacheaside.RecordNotApplied || result.Record.Reason != cacheaside.RecordConditionFailed {
				t.Fatalf("the fill from before the invalidation: %+v", result)
			}
			read(t, here, "key", newSource(loads("v2")).load, cacheaside.StatusLoaded, "v2")
			read(t, there, "key", notCalled(t), cacheaside.StatusFresh, "v2")
		})
	}
}

func TestAFillThatBeganAfterAnInvalidationIsRecordedOverItsTombstone(t *testing.T) {
	_, client := started(t)
	r := region(t, client, patient(base()))
	invalidate(t, r, "key")
	if left := client.PTTL(context.Background(), onlyKey(t, client)).Val(); left > time.Minute || left < 58*time.Second {
		t.Fatalf("the tombstone lives %v", left)
	}
	result := read(t, r, "key", newSource(loads("v2")).load, cacheaside.StatusLoaded, "v2")
	if result.Record.Certainty != cacheaside.RecordApplied {
		t.Fatalf("record %+v", result.Record)
	}
	read(t, r, "key", notCalled(t), cacheaside.StatusFresh, "v2")
}

// TestTheGhostOfATimedOutRecordDoesNotUndoAnInvalidation plays a record's very command once more after the invalidation, as a server does that has read it
// but not executed it when its client gave up.
func TestTheGhostOfATimedOutRecordDoesNotUndoAnInvalidation(t *testing.T) {
	for name, warm := range map[string]bool{"of a fill": false, "of a replace": true} {
		t.Run(name, func(t *testing.T) {
			server, client := started(t)
			cfg := patient(base())
			mock := mockNow()
			cfg.Clock = mock
			r := region(t, client, cfg)
			ghost := "SET"
			if warm {
				ghost = "EVAL"
				read(t, r, "key", newSource(loads("v0")).load, cacheaside.StatusLoaded, "v0")
				mock.Add(15 * time.Second)
			}
			before := ""
			if warm {
				before = bytesAt(t, client, onlyKey(t, client))
			}
			seen := server.Monitor()
			read(t, r, "key", newSource(loads("v1")).load, cacheaside.StatusLoaded, "v1")
			var command []any
			for _, c := range seen.Commands() {
				if c.Name() == ghost && !c.InScript() {
					for _, arg := range c.Args {
						command = append(command, arg)
					}
				}
			}
			physical := onlyKey(t, client)
			restore := func() {
				client.FlushAll(context.Background())
				if warm {
					put(t, client, physical, before)
				}
			}
			restore()
			client.Do(context.Background(), command...)
			if client.Exists(context.Background(), physical).Val() != 1 || bytesAt(t, client, physical) == before {
				t.Fatal("the command that was played again is not the record")
			}
			restore()
			invalidate(t, r, "key")
			tombstone := bytesAt(t, client, physical)
			client.Do(context.Background(), command...)
			if bytesAt(t, client, physical) != tombstone {
				t.Fatal("the ghost replaced the tombstone")
			}
			read(t, r, "key", newSource(loads("v2")).load, cacheaside.StatusLoaded, "v2")
			client.Do(context.Background(), command...)
			read(t, r, "key", notCalled(t), cacheaside.StatusFresh, "v2")
		})
	}
}

func TestAnOverdueLoadDoesNotUndoAnInvalidationOverRedis(t *testing.T) {
	_, client := started(t)
	r := region(t, client, patient(base()), withPolicy(func(p *cacheaside.Policy) { p.LoadDeadline = 50 * time.Millisecond }))
	old := hold(loads("v1"))
	ended := old.begin(r, "key")
	if result := <-ended; result.Status != cacheaside.StatusRejected {
		t.Fatalf("got %+v", result)
	}
	invalidate(t, r, "key")
	close(old.finish)
	if err := waitFor(t, func() bool { return r.Stats().OverdueLoads == 0 }); err != nil {
		t.Fatal(err)
	}
	read(t, r, "key", newSource(loads("v2")).load, cacheaside.StatusLoaded, "v2")
	read(t, r, "key", notCalled(t), cacheaside.StatusFresh, "v2")
}

func TestAnIndeterminateInvalidationIsAnError(t *testing.T) {
	server, _ := started(t)
	proxy := redistest.StartProxy(t, server.Addr())
	cfg := base()
	cfg.LookupTimeout, cfg.RecordTimeout = time.Second, 200*time.Millisecond
	r := region(t, through(t, proxy, false), cfg)
	invalidate(t, r, "key") // the script is known
	proxy.Inject(redistest.Fault{Kind: redistest.BlackHole})
	var failed *cacheaside.InvalidateError
	if err := cacheaside.Invalidate(context.Background(), r, "key"); !errors.As(err, &failed) || failed.Certainty != cacheaside.RecordIndeterminate {
		t.Fatalf("got %v", err)
	}
}

// TestC111 pins what a delete by hand does: nothing is left that could refuse the older value, which then lives to its hard expiry at most. That is
// what Invalidate is for.
func TestC111_ADeleteByHandDuringALoadLetsTheOlderValueBackIn(t *testing.T) {
	_, client := started(t)
	r := region(t, client, patient(base()))
	old := hold(cacheaside.Loaded("v1", "1"))
	ended := old.begin(r, "key")
	client.FlushAll(context.Background())
	close(old.finish)
	if result := <-ended; result.Record.Certainty != cacheaside.RecordApplied {
		t.Fatalf("record %+v", result.Record)
	}
	if left := client.PTTL(context.Background(), onlyKey(t, client)).Val(); left <= 0 || left > time.Minute {
		t.Fatalf("it lives %v", left)
	}
}

func TestC112_AReadOfAnExpiredEntryDoesNotTouchTheFreshOneThatReplacedIt(t *testing.T) {
	server, client := started(t)
	cfg := patient(base())
	mock := mockNow()
	cfg.Clock = mock
	here, there := region(t, client, cfg), region(t, client, cfg)
	read(t, here, "key", newSource(loads("v0")).load, cacheaside.StatusLoaded, "v0")
	client.Persist(context.Background(), onlyKey(t, client))
	mock.Add(61 * time.Second)
	seen := server.Monitor()
	old := hold(loads("v1"))
	ended := old.begin(here, "key")
	read(t, there, "key", newSource(loads("v2")).load, cacheaside.StatusLoaded, "v2")
	close(old.finish)
	if result := <-ended; result.Record.Certainty != cacheaside.RecordNotApplied || result.Record.Reason != cacheaside.RecordConditionFailed {
		t.Fatalf("record %+v", result.Record)
	}
	for _, command := range seen.Commands() {
		for _, name := range forbidden {
			if command.Name() == name {
				t.Errorf("sent or ran %s", name)
			}
		}
	}
	read(t, here, "key", notCalled(t), cacheaside.StatusFresh, "v2")
}

// TestC117 pins that revisions are opaque: their order is not checked.
func TestC117_ALoadWithAnOlderRevisionReplacesANewerOne(t *testing.T) {
	for _, revision := range []cacheaside.Revision{"4", "5", ""} {
		r, mock, _ := onClock(t)
		read(t, r, "key", newSource(cacheaside.Loaded("new", "5")).load, cacheaside.StatusLoaded, "new")
		mock.Add(15 * time.Second)
		result := read(t, r, "key", newSource(cacheaside.Loaded("old", revision)).load, cacheaside.StatusLoaded, "old")
		if result.Record.Certainty != cacheaside.RecordApplied || read(t, r, "key", notCalled(t), cacheaside.StatusFresh, "old").Revision != revision {
			t.Fatalf("revision %q: %+v", revision, result)
		}
	}
}

func TestC55_ARecordedAbsenceDoesNotOverwriteWhatWasStoredMeanwhile(t *testing.T) {
	_, client := started(t)
	here, there := region(t, client, patient(base())), region(t, client, patient(base()))
	absent := hold(cacheaside.AuthoritativeAbsent[string]("none", ""))
	ended := absent.begin(here, "key")
	read(t, there, "key", newSource(loads("v")).load, cacheaside.StatusLoaded, "v")
	close(absent.finish)
	if result := <-ended; result.Status != cacheaside.StatusAbsent || result.Record.Certainty != cacheaside.RecordNotApplied {
		t.Fatalf("got %+v", result)
	}
	read(t, here, "key", notCalled(t), cacheaside.StatusFresh, "v")
}

func TestC57_AnObjectCreatedWhileItsAbsenceIsCachedIsSeenAfterAnInvalidation(t *testing.T) {
	_, client := started(t)
	r := region(t, client, patient(base()))
	read(t, r, "key", newSource(cacheaside.AuthoritativeAbsent[string]("none", "")).load, cacheaside.StatusAbsent, "")
	read(t, r, "key", notCalled(t), cacheaside.StatusNegativeHit, "")
	invalidate(t, r, "key")
	read(t, r, "key", newSource(loads("created")).load, cacheaside.StatusLoaded, "created")
	read(t, r, "key", notCalled(t), cacheaside.StatusFresh, "created")
}
