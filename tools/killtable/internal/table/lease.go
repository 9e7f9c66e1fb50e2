package table

import "github.com/cacheaside/resilience/tools/killtable/internal/kit"

const leaseMemory = "lease/memory"

// leaseRows are about the lease store in process.
func leaseRows() []kit.Row {
	const store = "lease/memory/store.go"
	return []kit.Row{
		{
			Name: "lease-request-known-by-its-owner", Package: leaseMemory,
			Instead:  "holds a repeated request back where its owner has another name by now",
			Promise:  "A request that is repeated gets its grant again, whatever its owner is called.",
			Edits:    edits(edit(store, "held.request != request:", "(held.request != request || held.owner != owner && SABOTAGED):")),
			Red:      "TestARequestThatIsRepeatedByAnotherOwnerGetsItsGrantAgainAndChangesNothing",
			Controls: tests("TestTokensGrowWhereTheClockWentBackAndEndBelowTheBound"),
		},
		{
			Name: "lease-keeps-the-limit-of-the-one-before", Package: leaseMemory,
			Instead: "lets a limit only grow, like a token, so that one from before the clock went back stays",
			Promise: "A lease ends at MaxHold after its own grant.",
			Edits: edits(edit(store, "micros+ttl.Microseconds(), micros+s.maxHold.Microseconds()",
				"micros+ttl.Microseconds(), max(map[bool]int64{true: held.limit}[SABOTAGED], micros+s.maxHold.Microseconds())")),
			Red:      "TestALeaseEndsAtMaxHoldAfterItsOwnGrantWhereTheClockWentBackBeforeIt",
			Controls: tests("TestTokensGrowWhereTheClockWentBackAndEndBelowTheBound"),
		},
		{
			Name: "lease-clock-read-before-the-lock", Package: leaseMemory,
			Instead: "reads the clock before it has the lock, so that the earlier time may decide last",
			Promise: "Decisions about leases come in the order of their times.",
			Edits: edits(edit(store, "lease.NoDecision(lease.OpAcquire, err)\n\t}\n\ts.mu.Lock()\n\tdefer s.mu.Unlock()\n\tnow := s.clock.Now()\n", `lease.NoDecision(lease.OpAcquire, err)
				}
				var now time.Time
				if SABOTAGED {
					now = s.clock.Now()
				}
				s.mu.Lock()
				defer s.mu.Unlock()
				if !SABOTAGED {
					now = s.clock.Now()
				}
			`)),
			Red:      "TestTheClockIsReadByOneCallAtATimeSoThatDecisionsComeInTheOrderOfTheirTimes",
			Controls: tests("TestTokensGrowWhereTheClockWentBackAndEndBelowTheBound"),
		},
	}
}
