package redisadapter_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/internal/redistest"
)

// names are the commands of clients, in order, in upper case.
func names(commands []redistest.Command) []string {
	var list []string
	for _, c := range commands {
		if !c.InScript() && c.Name() != "HELLO" && c.Name() != "CLIENT" {
			list = append(list, c.Name())
		}
	}
	return list
}

func TestEachOperationSendsExactlyItsCommands(t *testing.T) {
	server, client := started(t)
	mock := mockNow()
	cfg := patient(base())
	cfg.Clock = mock
	c := open(t, client, cfg)
	ctx := context.Background()
	client.Ping(ctx)
	seen := server.Monitor()
	large := strings.Repeat("x", 100<<10)

	step := func(name string, do func(), want ...string) {
		t.Helper()
		seen.Reset()
		do()
		if got := names(seen.Commands()); !slices.Equal(got, want) {
			t.Errorf("%s sends %v, want %v", name, got, want)
		}
	}
	var condition cacheaside.Condition
	look := func() { condition = ifObserved(c.Lookup(ctx, "k").Observation) }
	stale := func() {
		mock.Add(10 * time.Second)
		look()
	}
	step("a miss", look, "GETRANGE")
	step("a record", func() { c.Record(ctx, "k", value("v"), ifAbsent) }, "SET")
	step("a refused record", func() { c.Record(ctx, "k", value("v"), ifAbsent) }, "SET")
	step("a fresh hit", look, "GETRANGE")
	step("a stale hit", stale, "GETRANGE")
	step("the first replace", func() { c.Record(ctx, "k", value("v"), condition) }, "EVALSHA", "EVAL")
	step("a refused replace", func() { c.Record(ctx, "k", value("v"), condition) }, "EVALSHA")
	stale()
	step("a replace", func() { c.Record(ctx, "k", value("v"), condition) }, "EVALSHA")
	stale()
	step("the first large replace", func() { c.Record(ctx, "k", value(large), condition) }, "SET", "EVALSHA", "EVAL")
	stale()
	step("a large replace", func() { c.Record(ctx, "k", value(large), condition) }, "SET", "EVALSHA")
	step("the first invalidation", func() { c.Invalidate(ctx, "k") }, "EVALSHA", "EVAL")
	step("an invalidation", func() { c.Invalidate(ctx, "k") }, "EVALSHA")
	mock.Add(time.Hour)
	step("an expired entry", look, "GETRANGE")
}

// TestC112_NothingEverDeletesAnEntry lets every operation meet every kind of entry, and looks at every command the server ran, those of scripts
// included. No key text is among their arguments either.
func TestC112_NothingEverDeletesAnEntry(t *testing.T) {
	server, client := started(t)
	mock := mockNow()
	cfg := patient(base())
	cfg.Clock, cfg.MaxValueBytes = mock, 200<<10
	c := open(t, client, cfg)
	ctx := context.Background()
	const text = "the-key-of-a-customer"
	large := strings.Repeat("x", 100<<10)
	mustApply(t, c.Record(ctx, text, value("v"), ifAbsent))
	key := onlyKey(t, client)
	seen := server.Monitor()

	use := func() {
		for _, entry := range []cacheaside.Entry[string]{value(large), value("v"), {Negative: true}, value(large)} {
			found := c.Lookup(ctx, text)
			c.Record(ctx, text, entry, ifAbsent)
			c.Record(ctx, text, entry, ifObserved(found.Observation))
			c.Record(ctx, text, entry, ifObserved(found.Observation))
		}
	}
	use()
	mock.Add(10 * time.Second)
	use()
	mock.Add(time.Minute)
	use()
	c.Invalidate(ctx, text)
	use()
	for _, raw := range []string{"corrupt", strings.Repeat("x", 300<<10), ""} {
		put(t, client, key, raw)
		use()
	}

	for _, command := range seen.Commands() {
		switch name := command.Name(); {
		case strings.Contains(strings.Join(command.Args, " "), text):
			t.Errorf("%s holds the key's text", name)
		case len(command.Args) < 2 || command.Args[1] != key:
		case !slices.Contains([]string{"GETRANGE", "SET"}, name):
			t.Errorf("%s of the entry", name)
		case name == "SET" && command.Source != "lua" && !slices.Contains(command.Args, "nx") && command.Args[2] != "corrupt" && len(command.Args[2]) < 300<<10 && command.Args[2] != "":
			t.Errorf("an unconditional SET of the entry: %d arguments", len(command.Args))
		}
	}
	if n := seen.CountInScripts("PEXPIRE"); n == 0 {
		t.Error("no large value was swapped in; the test shows nothing")
	}
}

func TestC112_AnExpiredReadLeavesAConcurrentFreshValueAlone(t *testing.T) {
	server, client := started(t)
	mock := mockNow()
	cfg := patient(base())
	cfg.Clock = mock
	a, b := open(t, client, cfg), open(t, server.Client(), cfg)
	ctx := context.Background()
	mustApply(t, a.Record(ctx, "k", value("old"), ifAbsent))
	mock.Add(time.Minute)
	seen := a.Lookup(ctx, "k")
	mustApply(t, b.Record(ctx, "k", value("new"), ifObserved(b.Lookup(ctx, "k").Observation)))
	stored := bytesAt(t, client, onlyKey(t, client))
	wantOutcome(t, a.Record(ctx, "k", value("late"), ifObserved(seen.Observation)), cacheaside.RecordNotApplied, cacheaside.RecordConditionFailed)
	wantOutcome(t, a.Record(ctx, "k", value("late"), ifAbsent), cacheaside.RecordNotApplied, cacheaside.RecordConditionFailed)
	if bytesAt(t, client, onlyKey(t, client)) != stored {
		t.Error("the fresh value was touched")
	}
}

func TestC55_ANegativeEntryDoesNotOverwriteAValueRecordedMeanwhile(t *testing.T) {
	server, client := started(t)
	a, b := open(t, client, patient(base())), open(t, server.Client(), patient(base()))
	ctx := context.Background()
	wantKind(t, a.Lookup(ctx, "k"), cacheaside.LookupMiss)
	mustApply(t, b.Record(ctx, "k", value("v"), ifAbsent))
	out := a.Record(ctx, "k", cacheaside.Entry[string]{Negative: true}, ifAbsent)
	wantOutcome(t, out, cacheaside.RecordNotApplied, cacheaside.RecordConditionFailed)
	if got := wantKind(t, a.Lookup(ctx, "k"), cacheaside.LookupFresh); got.Value != "v" {
		t.Errorf("value %q", got.Value)
	}
}

func TestAnObservationThatNoLookupGaveIsRefusedBeforeItIsSent(t *testing.T) {
	server, client := started(t)
	c := open(t, client, patient(base()))
	seen := server.Monitor()
	for _, o := range []cacheaside.Observation{"x", "e", cacheaside.Observation("e" + strings.Repeat("d", 31)), cacheaside.Observation("x" + strings.Repeat("d", 32)), cacheaside.Observation(strings.Repeat("e", 34))} {
		out := c.Record(context.Background(), "k", value("v"), ifObserved(o))
		wantOutcome(t, out, cacheaside.RecordNotApplied, cacheaside.RecordNeverSent)
		wantFault(t, out.Err, "Condition.Observation")
	}
	if got := names(seen.Commands()); len(got) != 0 {
		t.Errorf("sent %v", got)
	}
}

func TestTheScriptsThemselvesRefuseADigestOfAnotherLength(t *testing.T) {
	_, client := started(t)
	ctx := context.Background()
	client.Set(ctx, "{k}:v", "short", 0)
	client.Set(ctx, "{k}:t", "staged", 0)
	for _, digest := range []string{"", "short", strings.Repeat("d", 33)} {
		if got, err := client.Eval(ctx, redisReplaceSource, []string{"{k}:v"}, digest, "1", "new", 1000).Int(); got != 4 || err != nil {
			t.Errorf("replace by %q: %d, %v", digest, got, err)
		}
		if got, err := client.Eval(ctx, redisStagedSource, []string{"{k}:v", "{k}:t"}, digest, "1", 1000).Int(); got != 4 || err != nil {
			t.Errorf("swap by %q: %d, %v", digest, got, err)
		}
	}
	if got := client.Get(ctx, "{k}:v").Val(); got != "short" {
		t.Errorf("entry %q", got)
	}
}
