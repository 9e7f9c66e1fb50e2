package redisadapter_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/internal/redistest"
)

type contextKey struct{}

// contextHook keeps the values that commands carry, and can stop those of one name before they are sent.
type contextHook struct {
	countingHook
	values []any
	stop   string
}

var errStopped = errors.New("stopped by a hook")

func (h *contextHook) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		if cmd.Name() == h.stop {
			return errStopped
		}
		if cmd.Name() != "hello" {
			h.values = append(h.values, ctx.Value(contextKey{}))
		}
		return next(ctx, cmd)
	}
}

func TestHooksSeeTheValuesOfTheCallersContext(t *testing.T) {
	server := redistest.Start(t, redistest.Options{})
	client := server.Client()
	hook := &contextHook{}
	client.AddHook(hook)
	c := open(t, client, patient(base()))
	ctx := context.WithValue(context.Background(), contextKey{}, "trace")
	cancellable, cancel := context.WithCancel(ctx)
	defer cancel()
	wantKind(t, c.Lookup(ctx, "k"), cacheaside.LookupMiss)
	wantKind(t, c.Lookup(cancellable, "k"), cacheaside.LookupMiss)
	mustApply(t, c.Record(ctx, "k", value("v"), ifAbsent))
	if !slices.Equal(hook.values, []any{"trace", "trace", "trace"}) {
		t.Errorf("values %v", hook.values)
	}
}

func TestAScriptWhoseTextWasNeverSentAfterItsNameWasUnknownIsNeverSent(t *testing.T) {
	server := redistest.Start(t, redistest.Options{})
	client := server.Client()
	client.AddHook(&contextHook{stop: "eval"})
	c := open(t, client, patient(base()))
	out := c.Invalidate(context.Background(), "k")
	wantOutcome(t, out, cacheaside.RecordNotApplied, cacheaside.RecordNeverSent)
	if !errors.Is(out.Err, errStopped) {
		t.Errorf("error %v", out.Err)
	}
	wantKind(t, c.Lookup(context.Background(), "k"), cacheaside.LookupMiss)
}
