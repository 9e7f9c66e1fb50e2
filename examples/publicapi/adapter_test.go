package publicapi_test

import (
	"time"

	"github.com/benbjohnson/clock"
	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/envelope"
	"github.com/cacheaside/resilience/jitter"
	"github.com/cacheaside/resilience/redisadapter"
)

// The format.
var (
	_ func([]byte, string, envelope.Envelope, envelope.Digester) ([]byte, error)          = envelope.Append
	_ func([]byte, string, envelope.Digester, envelope.Limits) (envelope.Envelope, error) = envelope.Parse
	_ envelope.Digester                                                                   = envelope.SHA256()
	_ func([]byte) envelope.Digester                                                      = envelope.HMAC
	_ interface {
		Sum(physicalKey string, body []byte) [32]byte
	} = envelope.Digester(nil)
	_    error                                                = envelope.ErrCorrupt
	_    error                                                = &envelope.VersionError{Version: 3}
	_                                                         = envelope.Limits{Now: time.Time{}, MaxAhead: time.Hour}
	_    func([]byte, uint64, float64) (jitter.Jitter, error) = jitter.New
	_    func(jitter.Jitter, string, jitter.Class) float64    = jitter.Jitter.Factor
	_, _ jitter.Class                                         = jitter.Positive, jitter.Negative
)

// The adapter.
var (
	_ = redisadapter.Config[key, value]{
		Namespace: "app", Region: "region", Scope: "", Secret: []byte(nil), KeyString: func(key) string { return "" },
		Codec: redisadapter.Codec[value](nil), PayloadSchema: uint32(1),
		TTL: redisadapter.TTLPolicy{
			Soft: time.Second, Hard: time.Second, Negative: time.Second, MinHard: time.Second, TombstoneTTL: time.Second,
			JitterRatio: 0.1, Revision: uint32(1),
		},
		MaxValueBytes: int(1), LookupTimeout: time.Second, RecordTimeout: time.Second, MaxClockSkew: time.Second, Clock: clock.Clock(nil),
		Breaker: (*redisadapter.Breaker)(nil), Warn: func(redisadapter.Warning) {},
	}
	_ interface {
		Append(dst []byte, v value) ([]byte, error)
		Decode(payload []byte, v *value) error
		Shape() uint32
	} = redisadapter.Codec[value](nil)

	_ func(redis.UniversalClient, redisadapter.Config[key, value]) (*redisadapter.Cache[key, value], error) = redisadapter.New[key, value]

	_ cacheaside.Cache[key, value]                = (*redisadapter.Cache[key, value])(nil)
	_ cacheaside.Invalidator[key]                 = (*redisadapter.Cache[key, value])(nil)
	_ interface{ KeyString(k key) string }        = (*redisadapter.Cache[key, value])(nil)
	_ interface{ Close() error }                  = (*redisadapter.Cache[key, value])(nil)
	_ interface{ Close() error }                  = (*redisadapter.Breaker)(nil)
	_ func() redisadapter.Codec[value]            = redisadapter.Msgpack[value]
	_ func(string) (redis.UniversalClient, error) = redisadapter.OpenClient

	_ func(redisadapter.Config[key, value], string, []byte) []byte = redisadapter.Seal[key, value]
)
