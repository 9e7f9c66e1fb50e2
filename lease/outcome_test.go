package lease_test

import (
	"testing"
	"time"

	"github.com/cacheaside/resilience/lease"
)

// TestC132_WhatIsLeftOfALeaseIsCountedFromBeforeTheRequest has a lease of 100 ms and the answer at several ages: the round trip comes off, whatever the
// store's clock says.
func TestC132_WhatIsLeftOfALeaseIsCountedFromBeforeTheRequest(t *testing.T) {
	began := time.Now()
	const ttl = 100 * time.Millisecond
	for _, storesNow := range []time.Time{began, began.AddDate(-20, 0, 0), began.AddDate(20, 0, 0), time.Unix(0, 0)} {
		for _, row := range []struct {
			took, left time.Duration
			acquired   lease.AcquireKind
			lost       lease.Loss
		}{
			{0, ttl, lease.Granted, lease.NotLost},
			{80 * time.Millisecond, 20 * time.Millisecond, lease.Granted, lease.NotLost},
			{ttl - 1, 1, lease.Granted, lease.NotLost},
			{ttl, 0, lease.Late, lease.LostLate},
			{ttl + 1, -1, lease.Late, lease.LostLate},
			{time.Hour, ttl - time.Hour, lease.Late, lease.LostLate},
		} {
			arrived := began.Add(row.took)
			grant := lease.NewGrant(7, storesNow.Add(ttl), storesNow, began)
			if left := grant.ValidUntil.Sub(arrived); left != row.left {
				t.Errorf("after %v %v are left, want %v", row.took, left, row.left)
			}
			if a := lease.AcquiredAt(grant, arrived); a.Kind != row.acquired || a.Grant != grant {
				t.Errorf("a grant that took %v is %v, want %v", row.took, a.Kind, row.acquired)
			}
			if r := lease.RenewedAt(grant, arrived); r.Lost != row.lost || r.Grant != grant {
				t.Errorf("a renewal that took %v is lost as %v, want %v", row.took, r.Lost, row.lost)
			}
		}
	}
}

func TestOutcomesHaveNames(t *testing.T) {
	for want, got := range map[string]string{
		"Granted": lease.Granted.String(), "Held": lease.Held.String(), "Late": lease.Late.String(),
		"Superseded": lease.LostSuperseded.String(), "Expired": lease.LostExpired.String(), "MaxHold": lease.LostMaxHold.String(),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for _, none := range []string{lease.AcquireKind(0).String(), lease.AcquireKind(99).String(), lease.NotLost.String(), lease.Loss(99).String()} {
		if none != "None" {
			t.Errorf("%q, want None", none)
		}
	}
}

func TestRequestsAreNeverAlike(t *testing.T) {
	seen := map[lease.RequestID]bool{{}: true}
	for range 1000 {
		id := lease.NewRequestID()
		if seen[id] {
			t.Fatalf("%x comes twice", id)
		}
		seen[id] = true
	}
}
