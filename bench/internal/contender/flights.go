package contender

import (
	"context"
	"strconv"

	"golang.org/x/sync/singleflight"
)

// P1: concurrent callers of a key in one process share one load, which runs on the context of the first.
type leaderFlight struct {
	plain
	group *singleflight.Group
}

func openLeaderFlight(node Node) (Reader, error) {
	return leaderFlight{plain{node}, new(singleflight.Group)}, nil
}

func (f leaderFlight) Get(ctx context.Context, key uint64) Answer {
	if answer, found := f.look(ctx, key); found {
		return answer
	}
	return share(ctx, f.group, key, func() Answer { return f.load(ctx, key) })
}

// P2: the same, but the load has values of the first caller only, not its end, and no deadline of its own.
type detachedFlight struct {
	plain
	group *singleflight.Group
}

func openDetachedFlight(node Node) (Reader, error) {
	return detachedFlight{plain{node}, new(singleflight.Group)}, nil
}

func (f detachedFlight) Get(ctx context.Context, key uint64) Answer {
	if answer, found := f.look(ctx, key); found {
		return answer
	}
	return share(ctx, f.group, key, func() Answer { return f.load(context.WithoutCancel(ctx), key) })
}

func share(ctx context.Context, group *singleflight.Group, key uint64, load func() Answer) Answer {
	result := group.DoChan(strconv.FormatUint(key, 10), func() (any, error) { return load(), nil })
	select {
	case r := <-result:
		answer := r.Val.(Answer)
		if answer.Ending == TimedOut && ctx.Err() == nil {
			return Answer{Ending: Failed, Reason: "another caller's context"}
		}
		return answer
	case <-ctx.Done():
		return Answer{Ending: TimedOut}
	}
}
