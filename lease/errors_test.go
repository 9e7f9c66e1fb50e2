package lease_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/cacheaside/resilience/lease"
)

func TestAnErrorIsEitherNoDecisionOrIndeterminate(t *testing.T) {
	for _, row := range []struct {
		err          *lease.Error
		is, isNot    error
		text, causes string
	}{
		{lease.NoDecision(lease.OpAcquire, io.EOF), lease.ErrNoDecision, lease.ErrIndeterminate, "lease: acquire: no decision was made: EOF", "EOF"},
		{lease.Indeterminate(lease.OpRenew, io.EOF), lease.ErrIndeterminate, lease.ErrNoDecision, "lease: renew: it is unknown whether a decision was made: EOF", "EOF"},
		{lease.NoDecision(lease.OpInspect, nil), lease.ErrNoDecision, io.EOF, "lease: inspect: no decision was made", ""},
	} {
		if !errors.Is(row.err, row.is) || errors.Is(row.err, row.isNot) || row.err.Error() != row.text {
			t.Errorf("%v", row.err)
		}
		if row.causes != "" && !errors.Is(row.err, io.EOF) {
			t.Errorf("%v has lost its cause", row.err)
		}
	}
}

func TestArgumentsAreRefusedByNameAndBound(t *testing.T) {
	request := lease.NewRequestID()
	const hold = time.Hour
	acquire := func(key, owner string, request lease.RequestID, ttl time.Duration) error {
		return lease.CheckAcquire(key, owner, request, ttl, hold)
	}
	for _, row := range []struct {
		err   error
		field string
	}{
		{acquire("k", "a", request, time.Millisecond), ""},
		{acquire(strings.Repeat("k", lease.MaxKeyBytes), strings.Repeat("o", 64), request, hold), ""},
		{acquire("k", "az.AZ_09-", request, hold), ""},
		{acquire("", "a", request, hold), "key"},
		{acquire(strings.Repeat("k", lease.MaxKeyBytes+1), "a", request, hold), "key"},
		{acquire("k", "", request, hold), "owner"},
		{acquire("k", strings.Repeat("o", 65), request, hold), "owner"},
		{acquire("k", "pass word", request, hold), "owner"},
		{acquire("k", "ö", request, hold), "owner"},
		{acquire("k", "a", lease.RequestID{}, hold), "request"},
		{acquire("k", "a", request, time.Millisecond-1), "ttl"},
		{acquire("k", "a", request, hold+1), "ttl"},
		{lease.CheckRenew("k", hold, hold), ""},
		{lease.CheckRenew("", hold, hold), "key"},
		{lease.CheckRenew("k", 0, hold), "ttl"},
		{lease.CheckKey(lease.OpRelease, "k"), ""},
		{lease.CheckKey(lease.OpRelease, ""), "key"},
		{lease.CheckMaxHold(time.Millisecond), ""},
		{lease.CheckMaxHold(lease.MaxMaxHold), ""},
		{lease.CheckMaxHold(time.Millisecond - 1), "MaxHold"},
		{lease.CheckMaxHold(lease.MaxMaxHold + 1), "MaxHold"},
	} {
		if row.field == "" {
			if row.err != nil {
				t.Errorf("refused: %v", row.err)
			}
			continue
		}
		var argument *lease.ArgumentError
		if !errors.As(row.err, &argument) || argument.Field != row.field || argument.Value == "" || argument.Rule == "" {
			t.Errorf("%v, want a fault of %s", row.err, row.field)
			continue
		}
		if row.field != "MaxHold" && !errors.Is(row.err, lease.ErrNoDecision) {
			t.Errorf("%v is not told as no decision", row.err)
		}
		if strings.Contains(row.err.Error(), "pass word") {
			t.Errorf("%v repeats what might be a secret", row.err)
		}
	}
}
