package cacheaside

import "time"

// StrictPolicy fails rather than guess: a stale value answers for a classified transient failure only, every caller waits for its refresh, no
// failure is remembered, and every unusable entry fails fast.
func StrictPolicy() Policy {
	return Policy{
		MaxInFlightKeys: 256, MaxWaitersPerKey: 64, SourceConcurrency: 16, MaxOverduePerKey: 4,
		AdmissionWait: 100 * time.Millisecond, LoadDeadline: time.Second, RecordWait: 250 * time.Millisecond,
		ServeStale:   StaleRules{OnTransient: true},
		Incompatible: FailFast, Future: FailFast, Corrupt: FailFast,
	}
}

// BalancedPolicy is for most regions: a stale value also answers for a load that outlives its deadline, callers wait 200 ms for a refresh, a
// transient failure is remembered for 250 ms, and old or broken entries are loaded around.
func BalancedPolicy() Policy {
	return Policy{
		MaxInFlightKeys: 1024, MaxWaitersPerKey: 256, SourceConcurrency: 32, MaxOverduePerKey: 8,
		AdmissionWait: 100 * time.Millisecond, LoadDeadline: time.Second, RecordWait: 250 * time.Millisecond,
		FailureBackoff: 250 * time.Millisecond,
		ServeStale:     StaleRules{OnTransient: true, OnDeadline: true, RefreshWait: 200 * time.Millisecond},
		Incompatible:   QuarantineAndReload, Future: FailFast, Corrupt: LoadOnly,
	}
}

// SurvivePolicy answers whenever it can: a stale value is taken at once and for every kind of trouble, a transient failure is remembered for a
// second, and no stored entry fails a read.
func SurvivePolicy() Policy {
	return Policy{
		MaxInFlightKeys: 1024, MaxWaitersPerKey: 1024, SourceConcurrency: 32, MaxOverduePerKey: 8,
		AdmissionWait: 250 * time.Millisecond, LoadDeadline: 2 * time.Second, RecordWait: 250 * time.Millisecond,
		FailureBackoff: time.Second,
		ServeStale:     StaleRules{OnTransient: true, OnRejected: true, OnDeadline: true, RefreshWait: DontWait},
		Incompatible:   QuarantineAndReload, Future: LoadOnly, Corrupt: LoadOnly,
	}
}
