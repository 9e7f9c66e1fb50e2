package adapters

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/redis/rueidis"
	"github.com/redis/rueidis/rueidisaside"

	"github.com/cacheaside/resilience/bench/internal/contender"
)

func rueidisPeer(at Place) Peer {
	return Peer{
		Contender: contender.Contender{
			ID: "rueidisaside", Name: "typed cache-aside on client-side caching",
			Open: func(node contender.Node) (contender.Reader, error) { return openRueidis(node, at) },
		},
		Module: "github.com/redis/rueidis/rueidisaside",
		Keeps:  redisAndMemory,
		Page:   "https://github.com/redis/rueidis/tree/main/rueidisaside",
	}
}

type rueidisReader struct {
	at     Place
	client rueidisaside.CacheAsideClient
	typed  rueidisaside.TypedCacheAsideClient[contender.Row]
	source contender.Source
	ttl    contender.TTL
	knowledge
}

// openRueidis follows the README's typed example: JSON, and a nil value for a missing row, whose lifetime is set by OverrideCacheTTL. The client
// has its defaults, and is watched. It dials at once.
func openRueidis(node contender.Node, at Place) (contender.Reader, error) {
	client, err := rueidisaside.NewClient(rueidisaside.ClientOption{
		ClientOption:  rueidis.ClientOption{InitAddress: []string{at.Addr}},
		ClientBuilder: at.watched,
	})
	if err != nil {
		return nil, err
	}
	return &rueidisReader{
		at:        at,
		client:    client,
		typed:     rueidisaside.NewTypedCacheAsideClient(client, marshalRow, unmarshalRow),
		source:    node.Source,
		ttl:       node.TTL,
		knowledge: knowledge{},
	}, nil
}

func marshalRow(row *contender.Row) (string, error) {
	text, err := json.Marshal(row)
	return string(text), err
}

func unmarshalRow(text string) (row *contender.Row, err error) {
	err = json.Unmarshal([]byte(text), &row)
	return row, err
}

func (r *rueidisReader) Get(ctx context.Context, key uint64) contender.Answer {
	return r.ask(ctx, func() (contender.Row, error) {
		row, err := r.typed.Get(ctx, r.ttl.Soft, r.at.key("rueidisaside", key), func(ctx context.Context, _ string) (*contender.Row, error) {
			row, err := r.source.Load(ctx, key)
			if errors.Is(err, contender.ErrNoRow) {
				rueidisaside.OverrideCacheTTL(ctx, r.ttl.Negative)
				return nil, nil
			}
			if err != nil {
				return nil, err
			}
			return &row, nil
		})
		if err != nil {
			return contender.Row{}, err
		}
		if row == nil {
			return contender.Row{}, contender.ErrNoRow
		}
		return *row, nil
	})
}

func (r *rueidisReader) Invalidate(ctx context.Context, key uint64) error {
	return r.client.Del(ctx, r.at.key("rueidisaside", key))
}

// Close waits for what is under way at the server, at most as long as ctx.
func (r *rueidisReader) Close(ctx context.Context) error {
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		r.client.Close()
	}()
	select {
	case <-closed:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(closeLimit):
		return errCloseLimit
	}
}

const closeLimit = 2 * time.Second

var errCloseLimit = errors.New("rueidisaside: Close did not return within 2 s")
