package guide

import (
	"log/slog"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/redisadapter"
)

// OpenRedis makes a client with the recommended settings. The caller closes it.
func OpenRedis(url string) (redis.UniversalClient, error) {
	client, err := redisadapter.OpenClient(url)
	if err != nil {
		return nil, err // it holds no part of the URL
	}
	return client, nil
}

// NewRedisCache is a cache of countries on the Redis behind client. All processes use one secret of at least 32 random bytes, from where the
// service keeps its secrets.
func NewRedisCache(client redis.UniversalClient, secret []byte) (*redisadapter.Cache[string, Country], error) {
	return redisadapter.New(client, redisadapter.Config[string, Country]{
		Namespace: "atlas",   // the application
		Region:    "country", // one kind of value
		Secret:    secret,
		TTL: redisadapter.TTLPolicy{
			Soft:        time.Minute,
			Hard:        time.Hour,
			Negative:    30 * time.Second,
			MinHard:     10 * time.Second,
			JitterRatio: 0.1,
		},
		Warn: func(w redisadapter.Warning) { slog.Warn(w.String()) },
	})
}
