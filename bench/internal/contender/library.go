package contender

import (
	"context"
	"errors"

	"github.com/cacheaside/resilience/cacheaside"
)

// P6 to P8: a region of this library.
type library struct {
	region *cacheaside.Region[uint64, Row]
	reads  cacheaside.Bound[uint64, Row]
}

// openStrict is P6: StrictPolicy, and no stale value ever answers.
func openStrict(node Node) (Reader, error) {
	policy := cacheaside.StrictPolicy()
	policy.ServeStale = cacheaside.StaleRules{}
	return OpenRegion(node, policy)
}

// openSurvive is P7: SurvivePolicy as it is.
func openSurvive(node Node) (Reader, error) { return OpenRegion(node, cacheaside.SurvivePolicy()) }

// openFleet is P8.
func openFleet(node Node) (Reader, error) { return OpenRegion(node, FleetPolicy()) }

// FleetPolicy is P8's: SurvivePolicy with one load per fleet and key, and old values at once where another process loads.
func FleetPolicy() cacheaside.Policy {
	policy := cacheaside.SurvivePolicy()
	policy.Coordination, policy.ServeStale.OnHeld = cacheaside.Fleet, true
	return policy
}

// OpenRegion opens a reader on this library with any policy; node.Policy may still change it.
func OpenRegion(node Node, policy cacheaside.Policy) (Reader, error) {
	if node.Policy != nil {
		node.Policy(&policy)
	}
	region, err := cacheaside.NewRegion(cacheaside.RegionConfig[uint64, Row]{Name: "lab", Cache: node.Cache, Policy: policy, Random: node.Names})
	if err != nil {
		return nil, err
	}
	load := cacheaside.Classify(node.Source.Load, cacheaside.Rules[Row]{
		Absent:    func(err error) bool { return errors.Is(err, ErrNoRow) },
		Transient: func(err error) (string, bool) { return "source", errors.Is(err, ErrSource) },
	})
	return library{region: region, reads: cacheaside.Bind(region, load)}, nil
}

// Stats is the region's, for those that look into a reader of this library.
func (l library) Stats() cacheaside.Stats { return l.region.Stats() }

func (l library) Get(ctx context.Context, key uint64) Answer {
	result, err := l.reads.Get(ctx, key)
	switch result.Status {
	case cacheaside.StatusFresh:
		return Answer{Ending: Hit, Row: result.Value}
	case cacheaside.StatusLoaded:
		return Answer{Ending: Loaded, Row: result.Value}
	case cacheaside.StatusStale:
		return Answer{Ending: Stale, Row: result.Value, HardExpiresAt: result.HardExpiresAt}
	case cacheaside.StatusAbsent, cacheaside.StatusNegativeHit:
		return Answer{Ending: Absent}
	case cacheaside.StatusRejected:
		return Answer{Ending: Rejected, Reason: reasonOf(err)}
	case cacheaside.StatusCancelled:
		return Answer{Ending: TimedOut}
	case cacheaside.StatusFailed:
		return failed(ctx, err)
	}
	return Answer{Ending: Failed, Reason: "no status"}
}

func reasonOf(err error) string {
	if rejected, ok := errors.AsType[*cacheaside.RejectedError](err); ok {
		return rejected.Reason.String()
	}
	return "other"
}

func (l library) Invalidate(ctx context.Context, key uint64) error {
	return cacheaside.Invalidate(ctx, l.region, key)
}

func (l library) Close(ctx context.Context) error { return l.region.Close(ctx) }
