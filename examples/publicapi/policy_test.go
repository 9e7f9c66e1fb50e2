package publicapi_test

import (
	"context"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/cacheaside/resilience/cacheaside"
)

type (
	key   string
	value struct{ N int }
)

// The source.
var (
	_ func(value, cacheaside.Revision) cacheaside.SourceOutcome[value]  = cacheaside.Loaded[value]
	_ func(string, cacheaside.Revision) cacheaside.SourceOutcome[value] = cacheaside.AuthoritativeAbsent[value]
	_ func(string, error) cacheaside.SourceOutcome[value]               = cacheaside.TransientFailure[value]
	_ func(string, error) cacheaside.SourceOutcome[value]               = cacheaside.PermanentFailure[value]
	_ func(error) cacheaside.SourceOutcome[value]                       = cacheaside.Cancelled[value]
	_ func(error) cacheaside.SourceOutcome[value]                       = cacheaside.Unclassified[value]

	_ cacheaside.Loader[key, value] = func(context.Context, key) cacheaside.SourceOutcome[value] { return cacheaside.SourceOutcome[value]{} }

	_ func(func(context.Context, key) (value, error), cacheaside.Rules[value]) cacheaside.Loader[key, value] = cacheaside.Classify[key, value]

	_ = cacheaside.Rules[value]{
		Absent:      func(error) bool { return false },
		Transient:   func(error) (string, bool) { return "", false },
		Permanent:   func(error) (string, bool) { return "", false },
		AbsentValue: func(value) bool { return false },
		Revision:    func(value) cacheaside.Revision { return "" },
	}

	_, _, _ func(error, string) error = cacheaside.MarkAbsent, cacheaside.MarkTransient, cacheaside.MarkPermanent
)

// The region and its policy.
var (
	_ = cacheaside.Policy{
		MaxInFlightKeys: 1, MaxWaitersPerKey: 1, SourceConcurrency: 1, MaxOverduePerKey: 1,
		AdmissionWait: time.Second, LoadDeadline: time.Second, RecordWait: time.Second, FailureBackoff: time.Second,
		ServeStale:      cacheaside.StaleRules{OnTransient: true, OnRejected: true, OnDeadline: true, RefreshWait: cacheaside.DontWait},
		CancelAbandoned: true,
		Incompatible:    cacheaside.QuarantineAndReload, Future: cacheaside.LoadOnly, Corrupt: cacheaside.FailFast,
	}
	_       func(cacheaside.Policy) error = cacheaside.Policy.Validate
	_, _, _ func() cacheaside.Policy      = cacheaside.StrictPolicy, cacheaside.BalancedPolicy, cacheaside.SurvivePolicy

	_ = cacheaside.RegionConfig[key, value]{
		Name: "region", Cache: cacheaside.Cache[key, value](nil), Policy: cacheaside.StrictPolicy(), Clock: clock.Clock(nil),
		Observer:    cacheaside.Observer(nil),
		KeyString:   func(key) string { return "" },
		Clone:       func(v value) value { return v },
		AbsentErr:   error(nil),
		LoadContext: func(caller context.Context) context.Context { return caller },
	}
	_ func(cacheaside.RegionConfig[key, value]) (*cacheaside.Region[key, value], error) = cacheaside.NewRegion[key, value]
	_ func(*cacheaside.Region[key, value]) cacheaside.Stats                             = (*cacheaside.Region[key, value]).Stats
	_ func(*cacheaside.Region[key, value]) bool                                         = (*cacheaside.Region[key, value]).CanInvalidate
	_ func(*cacheaside.Region[key, value], context.Context) error                       = (*cacheaside.Region[key, value]).Close

	_ = cacheaside.Stats{InFlightKeys: 1, Waiters: 1, RunningLoads: 1, OverdueLoads: 1}
	_ = cacheaside.Event{
		Region: "region", Status: cacheaside.StatusFresh, Reason: cacheaside.ReasonKeysFull, Code: "code",
		Certainty: cacheaside.RecordApplied, Duration: time.Second,
	}
)

// What a region is used by.
var (
	_ func(context.Context, *cacheaside.Region[key, value], key, cacheaside.Loader[key, value]) (cacheaside.Result[value], error) = cacheaside.Get[key, value]

	_ func(context.Context, *cacheaside.Region[key, value], key, func(context.Context, key) (value, error)) (cacheaside.Result[value], error) = cacheaside.Read[key, value]

	_ func(context.Context, *cacheaside.Region[key, value], key) error                                 = cacheaside.Invalidate[key, value]
	_ func(*cacheaside.Region[key, value], cacheaside.Loader[key, value]) cacheaside.Bound[key, value] = cacheaside.Bind[key, value]
	_ interface {
		Get(ctx context.Context, k key) (cacheaside.Result[value], error)
	} = cacheaside.Bound[key, value]{}

	_ = cacheaside.Result[value]{
		Value: value{}, Status: cacheaside.StatusLoaded, Revision: cacheaside.Revision("1"), Record: cacheaside.RecordOutcome{}, Cause: error(nil),
		SoftExpiresAt: time.Time{}, HardExpiresAt: time.Time{}, Shared: true,
	}
)

// The port.
type cache struct{}

func (cache) Lookup(context.Context, key) cacheaside.Lookup[value] {
	return cacheaside.Lookup[value]{
		Kind: cacheaside.LookupStale, Miss: cacheaside.MissAbsent, Entry: cacheaside.EntryRetired, Value: value{}, Revision: "1",
		SoftExpiresAt: time.Time{}, HardExpiresAt: time.Time{}, Observation: cacheaside.Observation("seen"), Err: nil,
	}
}

func (cache) Record(context.Context, key, cacheaside.Entry[value], cacheaside.Condition) cacheaside.RecordOutcome {
	return cacheaside.RecordOutcome{
		Certainty: cacheaside.RecordIndeterminate, Reason: cacheaside.RecordPending,
		SoftExpiresAt: time.Time{}, HardExpiresAt: time.Time{}, Err: nil,
	}
}

func (cache) Invalidate(context.Context, key) cacheaside.RecordOutcome {
	return cacheaside.RecordOutcome{}
}

var (
	_ cacheaside.Cache[key, value] = cache{}
	_ cacheaside.Invalidator[key]  = cache{}
	_                              = cacheaside.Entry[value]{Negative: true, Value: value{}, Revision: "1"}
	_                              = cacheaside.Condition{Observation: "seen"}
)
