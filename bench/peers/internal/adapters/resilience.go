package adapters

import (
	"context"
	"errors"
	"strconv"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/live/redisstore"
	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/redisadapter"
)

func survivePeer(at Place) Peer {
	return resiliencePeer(at, Survive, "this library, SurvivePolicy", cacheaside.SurvivePolicy())
}

func strictPeer(at Place) Peer {
	return resiliencePeer(at, Strict, "this library, StrictPolicy", cacheaside.StrictPolicy())
}

func resiliencePeer(at Place, id, name string, policy cacheaside.Policy) Peer {
	return Peer{
		Contender: contender.Contender{
			ID: id, Name: name,
			Open: func(node contender.Node) (contender.Reader, error) { return openResilience(node, at, id, policy) },
		},
		Module: "github.com/cacheaside/resilience",
		Keeps:  inRedis,
		Page:   "the documentation of package cacheaside",
	}
}

// benchSecret makes the processes of one comparison share entries. There is nothing to protect in them.
const benchSecret = "the rows of a benchmark are no secret to anyone"

type resilienceReader struct {
	client redis.UniversalClient
	cache  *redisadapter.Cache[uint64, contender.Row]
	region *cacheaside.Region[uint64, contender.Row]
	bound  cacheaside.Bound[uint64, contender.Row]
}

// openResilience takes a preset as it is, the recommended client, and no jitter, since the others get exact lifetimes too. The presets have regions
// of their own, so that neither reads what the other stored.
func openResilience(node contender.Node, at Place, id string, policy cacheaside.Policy) (contender.Reader, error) {
	if node.Policy != nil {
		node.Policy(&policy)
	}
	client, err := redisadapter.OpenClient("redis://" + at.Addr)
	if err != nil {
		return nil, err
	}
	if hooked, can := client.(interface{ AddHook(redis.Hook) }); can && at.Operation != nil {
		hooked.AddHook(redisstore.Counter(at.Operation))
	}
	cache, err := redisadapter.New(client, redisadapter.Config[uint64, contender.Row]{
		Namespace: at.namespace(), Region: id, Secret: []byte(benchSecret),
		TTL: redisadapter.TTLPolicy{Soft: node.TTL.Soft, Hard: node.TTL.Hard, Negative: node.TTL.Negative},
	})
	if err != nil {
		return nil, errors.Join(err, client.Close())
	}
	region, err := cacheaside.NewRegion(cacheaside.RegionConfig[uint64, contender.Row]{Name: id, Cache: cache, Policy: policy})
	if err != nil {
		return nil, errors.Join(err, cache.Close(), client.Close())
	}
	return &resilienceReader{client: client, cache: cache, region: region, bound: cacheaside.Bind(region, loader(node.Source))}, nil
}

// loader says which of the source's answers are authoritative, transient and neither.
func loader(source contender.Source) cacheaside.Loader[uint64, contender.Row] {
	return func(ctx context.Context, key uint64) cacheaside.SourceOutcome[contender.Row] {
		row, err := source.Load(ctx, key)
		switch {
		case err == nil:
			return cacheaside.Loaded(row, cacheaside.Revision(strconv.FormatUint(row.Version, 10)))
		case errors.Is(err, contender.ErrNoRow):
			return cacheaside.AuthoritativeAbsent[contender.Row]("no_row", "")
		case errors.Is(err, contender.ErrSource):
			return cacheaside.TransientFailure[contender.Row]("source", err)
		default:
			return cacheaside.Unclassified[contender.Row](err)
		}
	}
}

func (r *resilienceReader) Get(ctx context.Context, key uint64) (answer contender.Answer) {
	defer func() {
		if recover() != nil {
			answer = contender.Answer{Ending: contender.Failed, Reason: ReasonPanic}
		}
	}()
	result, err := r.bound.Get(ctx, key)
	return answerOf(ctx, result, err)
}

func answerOf(ctx context.Context, result cacheaside.Result[contender.Row], err error) contender.Answer {
	var rejected *cacheaside.RejectedError
	var source *cacheaside.SourceError
	switch {
	case err == nil:
		answer := contender.Answer{Ending: contender.Hit, Row: result.Value}
		switch result.Status {
		case cacheaside.StatusLoaded:
			answer.Ending = contender.Loaded
		case cacheaside.StatusStale:
			answer.Ending, answer.HardExpiresAt = contender.Stale, result.HardExpiresAt
		default:
		}
		return answer
	case errors.Is(err, cacheaside.ErrAbsent):
		return contender.Answer{Ending: contender.Absent}
	case errors.As(err, &rejected):
		return contender.Answer{Ending: contender.Rejected, Reason: rejected.Reason.String()}
	case result.Status == cacheaside.StatusCancelled && ctx.Err() != nil:
		return contender.Answer{Ending: contender.TimedOut}
	case errors.As(err, &source):
		return contender.Answer{Ending: contender.Failed, Reason: ReasonSource}
	case errors.Is(err, cacheaside.ErrCorruptEntry), errors.Is(err, cacheaside.ErrIncompatibleSchema):
		return contender.Answer{Ending: contender.Failed, Reason: ReasonEntry}
	case errors.Is(err, cacheaside.ErrLoaderExited):
		return contender.Answer{Ending: contender.Failed, Reason: ReasonExited}
	default:
		return contender.Answer{Ending: contender.Failed, Reason: reason(err)}
	}
}

func (r *resilienceReader) Invalidate(ctx context.Context, key uint64) error {
	return r.bound.Invalidate(ctx, key)
}

func (r *resilienceReader) Close(ctx context.Context) error {
	return errors.Join(r.region.Close(ctx), r.cache.Close(), r.client.Close())
}
