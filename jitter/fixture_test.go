package jitter_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cacheaside/resilience/jitter"
)

const day = 24 * time.Hour

func secret() []byte { return []byte(strings.Repeat("k", 32)) }

// sound is a policy without a fault, to break one thing of.
func sound() jitter.Policy {
	return jitter.Policy{
		Soft: 10 * time.Second, Hard: 60 * time.Second, Negative: 5 * time.Second,
		MinHard: time.Second, TombstoneTTL: 60 * time.Second,
	}
}

func with(change func(*jitter.Policy)) jitter.Policy {
	p := sound()
	change(&p)
	return p
}

func mustSchedule(tb testing.TB, p jitter.Policy) jitter.Schedule {
	tb.Helper()
	s, err := jitter.NewSchedule(secret(), p)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// faults takes a refusal apart; every part must be complete.
func faults(tb testing.TB, err error) []*jitter.FieldError {
	tb.Helper()
	if err == nil {
		return nil
	}
	var joined interface{ Unwrap() []error }
	if !errors.As(err, &joined) {
		tb.Fatalf("%T holds no list of faults", err)
	}
	var list []*jitter.FieldError
	for _, part := range joined.Unwrap() {
		var f *jitter.FieldError
		if !errors.As(part, &f) || f.Field == "" || f.Value == "" || f.Rule == "" {
			tb.Fatalf("fault %v does not name field, value and rule", part)
		}
		if !strings.Contains(err.Error(), f.Field+" ("+f.Value+") "+f.Rule) {
			tb.Fatalf("the text %q lacks the fault %+v", err, *f)
		}
		list = append(list, f)
	}
	return list
}

func fields(tb testing.TB, err error) []string {
	tb.Helper()
	var names []string
	for _, f := range faults(tb, err) {
		names = append(names, f.Field)
	}
	return names
}

// mustRefuse checks that the policy, alone and in a schedule, is refused for
// exactly the fields given, in this order.
func mustRefuse(tb testing.TB, p jitter.Policy, want ...string) {
	tb.Helper()
	if got := fields(tb, p.Validate()); !slices.Equal(got, want) {
		tb.Errorf("%+v is refused for %v, want %v", p, got, want)
	}
	s, err := jitter.NewSchedule(secret(), p)
	if got := fields(tb, err); !slices.Equal(got, want) {
		tb.Errorf("a schedule of %+v is refused for %v, want %v", p, got, want)
	}
	if s != (jitter.Schedule{}) {
		tb.Errorf("the refusal came with %+v", s)
	}
}

func mustAccept(tb testing.TB, p jitter.Policy) {
	tb.Helper()
	if err := p.Validate(); err != nil {
		tb.Errorf("%+v: %v", p, err)
	}
}
