package memory_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/cacheaside/memory"
)

func wantFieldError(t *testing.T, err error, field string) {
	t.Helper()
	var fault *cacheaside.FieldError
	if !errors.As(err, &fault) || fault.Field != field {
		t.Errorf("the error is %v, want one of the field %s", err, field)
	}
}

func TestC71_AHookThatPanicsRefusesTheRecord(t *testing.T) {
	t.Parallel()
	const secret = "text of a value"
	tests := map[string]func(*memory.Config[string, string]){
		"SizeOf": func(c *memory.Config[string, string]) { c.SizeOf = func(string, string) int { panic(secret) } },
		"Jitter": func(c *memory.Config[string, string]) {
			c.Jitter = func(string, bool) float64 { panic(errors.New(secret)) }
		},
	}
	for field, change := range tests {
		f := newFixture(t, change)
		outcome := f.record("k", secret, onlyIfAbsent)
		f.refused(outcome, cacheaside.RecordEncodeFailed)
		wantFieldError(t, outcome.Err, field)
		if strings.Contains(outcome.Err.Error(), secret) {
			t.Errorf("the error holds what the hook panicked with: %v", outcome.Err)
		}
		if found := f.look("k"); found.Miss != cacheaside.MissAbsent {
			t.Errorf("after a refused record the key is %s (%s)", found.Kind, found.Miss)
		}
		f.applied(f.Invalidate(t.Context(), "k"))
	}
}

// TestNoLockIsHeldWhileAHookRuns would hang for ever if there were one.
func TestNoLockIsHeldWhileAHookRuns(t *testing.T) {
	t.Parallel()
	var f fixture
	called := map[string]bool{}
	use := func(hook string) {
		if !called[hook] {
			called[hook] = true
			f.look("k")
			f.Invalidate(f.t.Context(), "k")
			_, _ = f.Len(), f.Bytes()
		}
	}
	f = newFixture(t, func(c *memory.Config[string, string]) {
		c.SizeOf = func(string, string) int { use("SizeOf"); return 0 }
		c.Jitter = func(string, bool) float64 { use("Jitter"); return 1 }
	})
	f.refused(f.record("k", "v", onlyIfAbsent), cacheaside.RecordConditionFailed)
	if !called["SizeOf"] || !called["Jitter"] {
		t.Errorf("called were %v", called)
	}
}

func TestHooksAreAskedForWhatTheirEntryIs(t *testing.T) {
	t.Parallel()
	var asked []string
	f := newFixture(t, func(c *memory.Config[string, string]) {
		c.SizeOf = func(key, value string) int { asked = append(asked, "size of "+key+" "+value); return 0 }
		c.Jitter = func(key string, negative bool) float64 {
			if negative {
				asked = append(asked, "jitter of the absence of "+key)
			} else {
				asked = append(asked, "jitter of "+key)
			}
			return 1
		}
	})
	f.applied(f.record("a", "v", onlyIfAbsent))
	f.applied(f.Record(t.Context(), "b", cacheaside.Entry[string]{Negative: true}, cacheaside.Condition{}))
	f.applied(f.Invalidate(t.Context(), "c"))
	if got, want := strings.Join(asked, "; "), "jitter of a; size of a v; jitter of the absence of b"; got != want {
		t.Errorf("asked %q, want %q", got, want)
	}
}
