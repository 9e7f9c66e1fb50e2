package posture_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/internal/redistest"
	"github.com/cacheaside/resilience/redisadapter"
)

func leases() redisadapter.Needs { return redisadapter.Needs{Leases: true, MaxHold: time.Minute} }

// durable is a server that nothing speaks against.
func durable() redistest.Options { return redistest.Options{AppendOnly: true} }

// label names a finding by its type and its setting.
func label(err error) string {
	var (
		deployment   *redisadapter.DeploymentError
		eviction     *redisadapter.EvictionError
		durability   *redisadapter.DurabilityError
		unverifiable *redisadapter.UnverifiableError
		capability   *redisadapter.CapabilityError
		identity     *redisadapter.IdentityChangedError
	)
	switch {
	case errors.As(err, &deployment):
		return "deployment " + deployment.Setting
	case errors.As(err, &eviction):
		return "eviction " + eviction.Setting
	case errors.As(err, &durability):
		return "durability " + durability.Setting
	case errors.As(err, &unverifiable):
		return "unverifiable " + unverifiable.Setting
	case errors.As(err, &capability):
		return "capability " + capability.Setting
	case errors.As(err, &identity):
		return "identity " + identity.Setting
	}
	return fmt.Sprintf("%T", err)
}

func labels(errs []error) []string {
	var names []string
	for _, err := range errs {
		names = append(names, label(err))
	}
	slices.Sort(names)
	return names
}

// apart undoes errors.Join.
func apart(err error) []error {
	if err == nil {
		return nil
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok { //nolint:errorlint // it is the joined error itself that is wanted
		return joined.Unwrap()
	}
	return []error{err}
}

// mustFind runs a preflight and compares the findings that refuse, and those that are noted, with what is wanted. Every one must say all it has to.
func mustFind(t *testing.T, client redis.UniversalClient, needs redisadapter.Needs, refused, noted []string) *redisadapter.Posture {
	t.Helper()
	posture, err := redisadapter.Preflight(t.Context(), client, needs)
	if posture == nil {
		t.Fatalf("no posture: %v", err)
	}
	report := posture.Report()
	if got := labels(apart(err)); !slices.Equal(got, sorted(refused)) {
		t.Errorf("refused %q, want %q", got, refused)
	}
	if got := labels(report.Refused); !slices.Equal(got, sorted(refused)) {
		t.Errorf("the report has refused %q, want %q", got, refused)
	}
	if got := labels(report.Noted); !slices.Equal(got, sorted(noted)) {
		t.Errorf("noted %q, want %q", got, noted)
	}
	for _, finding := range slices.Concat(report.Refused, report.Noted) {
		mustTellAll(t, finding)
	}
	return posture
}

func sorted(names []string) []string {
	return slices.Sorted(slices.Values(names))
}

// mustTellAll wants setting, seen, wanted and consequence in the text of a finding.
func mustTellAll(t *testing.T, err error) {
	t.Helper()
	text := err.Error()
	before, consequence, found := strings.Cut(text, ", must be ")
	if !found || !strings.Contains(before, " is ") || !strings.Contains(consequence, ": ") || strings.Contains(text, "is ,") || strings.Contains(text, "()") {
		t.Errorf("%q does not tell setting, seen, wanted and consequence", text)
	}
}

// configure changes settings of a running server.
func configure(t *testing.T, client *redis.Client, pairs ...string) {
	t.Helper()
	for pair := range slices.Chunk(pairs, 2) {
		if err := client.ConfigSet(t.Context(), pair[0], pair[1]).Err(); err != nil {
			t.Fatalf("%s %s: %v", pair[0], pair[1], err)
		}
	}
}

// await asks until the answer is yes, for ten seconds at most.
func await(t *testing.T, what string, ask func(ctx context.Context) bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !ask(ctx) {
		select {
		case <-ctx.Done():
			t.Fatalf("waited for %s", what)
		case <-tick.C:
		}
	}
}
