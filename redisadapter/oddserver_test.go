package redisadapter_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/internal/redistest"
	"github.com/cacheaside/resilience/redisadapter"
)

// oddly is a cache on a server that answers every command of one name with the same bytes, and GETRANGE with nothing there.
func oddly(t *testing.T, replies map[string][]byte) (*redisadapter.Cache[string, string], *redistest.Stub) {
	t.Helper()
	stub := redistest.StartStub(t, func(args [][]byte) []byte {
		if reply, known := replies[strings.ToUpper(string(args[0]))]; known {
			return reply
		}
		return redistest.Bulk("")
	})
	return open(t, newClient(t, redistest.ClientOptions(stub.Addr())), patient(base())), stub
}

func TestAReplyThatNoServerGivesProvesNothing(t *testing.T) {
	ctx := context.Background()
	some := ifObserved(cacheaside.Observation("e" + strings.Repeat("d", 32)))
	for name, row := range map[string]struct {
		set, script []byte
	}{
		"another kind":   {redistest.Integer(1), redistest.Status("OK")},
		"another number": {redistest.Status("QUEUED"), redistest.Integer(99)},
		"garbage":        {[]byte("what?\r\n"), []byte("what?\r\n")},
		"made up":        {redistest.Error("ERR upstream failure"), redistest.Error("proxy says no")},
		"an array":       {redistest.Array(redistest.Status("OK")), redistest.Array(redistest.Integer(1))},
	} {
		c, stub := oddly(t, map[string][]byte{"SET": row.set, "EVALSHA": row.script})
		for what, out := range map[string]cacheaside.RecordOutcome{
			"a record": c.Record(ctx, "k", value("v"), ifAbsent), "a replace": c.Record(ctx, "k", value("v"), some), "an invalidation": c.Invalidate(ctx, "k"),
		} {
			if out.Certainty != cacheaside.RecordIndeterminate || out.Err == nil || out.HardExpiresAt.IsZero() {
				t.Errorf("%s, %s: %v %v %v", name, what, out.Certainty, out.Reason, out.Err)
			}
		}
		if sets, scripts := stub.Count("SET"), stub.Count("EVALSHA"); sets != 1 || scripts != 2 {
			t.Errorf("%s: %d SET, %d EVALSHA", name, sets, scripts)
		}
	}
}

func TestALookupIsNeverMistakenForAMissByAnOddReply(t *testing.T) {
	for name, reply := range map[string][]byte{
		"garbage":     []byte("what?\r\n"),
		"made up":     redistest.Error("ERR upstream failure"),
		"nil":         redistest.Null(),
		"not loading": redistest.Error("LOADINGX"),
	} {
		c, stub := oddly(t, map[string][]byte{"GETRANGE": reply})
		wantKind(t, c.Lookup(context.Background(), "k"), cacheaside.LookupUnavailable)
		if n := stub.Count("GETRANGE"); n != 1 {
			t.Errorf("%s: %d GETRANGE", name, n)
		}
	}
}

func TestC85_TheReplyToAnotherKeysQuestionIsNoHit(t *testing.T) {
	_, client := started(t)
	ctx := context.Background()
	mustApply(t, open(t, client, patient(base())).Record(ctx, "a", value("of a"), ifAbsent))
	c, _ := oddly(t, map[string][]byte{"GETRANGE": redistest.Bulk(bytesAt(t, client, onlyKey(t, client)))})
	wantKind(t, c.Lookup(ctx, "a"), cacheaside.LookupFresh)
	wantEntry(t, c.Lookup(ctx, "b"), cacheaside.EntryCorrupt)
}

func TestAServerThatRunsNoScriptsRefusesReplacesForCertain(t *testing.T) {
	c, _ := oddly(t, map[string][]byte{"EVALSHA": redistest.Error("ERR unknown command 'EVALSHA', with args beginning with: "), "SET": redistest.Status("OK")})
	out := c.Invalidate(context.Background(), "k")
	wantOutcome(t, out, cacheaside.RecordNotApplied, cacheaside.RecordStoreRefused)
	wantFaultOf(t, out.Err, redisadapter.FaultRejected)
}

func TestC98_AfterLoadingTheCacheRecoversByItself(t *testing.T) {
	loading := make(chan struct{})
	stub := redistest.StartStub(t, func([][]byte) []byte {
		select {
		case <-loading:
			return redistest.Bulk("")
		default:
			return redistest.Error("LOADING Redis is loading the dataset in memory")
		}
	})
	mock := mockNow()
	cfg := patient(base())
	cfg.Clock = mock
	c := open(t, newClient(t, &redis.Options{Addr: stub.Addr()}), cfg)
	ctx := context.Background()
	for range 100 {
		got := wantKind(t, c.Lookup(ctx, "k"), cacheaside.LookupUnavailable)
		if got.Miss != 0 || got.Entry != 0 {
			t.Fatalf("%+v", got)
		}
		if out := c.Record(ctx, "k", value("v"), ifAbsent); out.Certainty != cacheaside.RecordNotApplied {
			t.Fatalf("%v %v", out.Certainty, out.Err)
		}
	}
	if n := stub.Count("GETRANGE") + stub.Count("SET"); n != 3 {
		t.Errorf("a server that loads was asked %d times", n)
	}
	close(loading)
	eventually(t, "recovery", func() bool {
		mock.Add(time.Second)
		return c.Lookup(ctx, "k").Kind == cacheaside.LookupMiss
	})
}
