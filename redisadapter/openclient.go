package redisadapter

import (
	"net/url"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"

	"github.com/cacheaside/resilience/cacheaside"
)

// What [OpenClient] sets where the URL does not. The limits of a region end its commands earlier; these bound what runs on behind them.
const (
	recommendedDialTimeout  = 500 * time.Millisecond
	recommendedIOTimeout    = time.Second
	recommendedPoolTimeout  = 250 * time.Millisecond
	recommendedConnIdleTime = 5 * time.Minute
)

// OpenClient makes a client with the recommended settings. It dials nothing yet; the caller closes it.
//
// The URL is one that go-redis parses: redis://user:password@host:port/db, rediss:// for TLS, unix:// for a socket; with one or more
// addr=host:port parameters it is a cluster, with master_name= and addr= parameters a primary found through sentinels. Options in the URL win.
//
// An error is a *[cacheaside.FieldError] that never holds any part of the URL, since the password may be anywhere in a malformed one.
func OpenClient(rawURL string) (client redis.UniversalClient, err error) {
	defer func() {
		if recover() != nil { // as of a negative pool size
			client, err = nil, urlFault(optionsRule)
		}
	}()
	return openClient(rawURL)
}

const optionsRule = "must hold only a database number and options that go-redis knows, each with a value of its kind"

func openClient(rawURL string) (redis.UniversalClient, error) {
	parsed, err := url.Parse(rawURL)
	if err != nil {
		return nil, urlFault("must be a URL: redis://user:password@host:port/db, with special characters of the password percent-encoded")
	}
	switch parsed.Scheme {
	case "redis", "rediss", "unix":
	default:
		return nil, urlFault("must begin with redis://, rediss:// or unix://")
	}
	query := parsed.Query()
	switch {
	case query.Has("master_name"):
		o, err := redis.ParseFailoverURL(rawURL)
		if err != nil {
			return nil, urlFault(optionsRule)
		}
		if o.ReplicaOnly || o.RouteByLatency || o.RouteRandomly {
			return nil, urlFault("must not read from replicas: a replica may not have seen the last write or invalidation")
		}
		o.ContextTimeoutEnabled, o.DisableIdentity = true, true
		recommend(tunables{&o.MaxRetries, &o.DialerRetries, &o.DialTimeout, &o.ReadTimeout, &o.WriteTimeout, &o.PoolTimeout, &o.ConnMaxIdleTime})
		return redis.NewFailoverClient(o), nil
	case query.Has("addr"):
		o, err := redis.ParseClusterURL(rawURL)
		if err != nil {
			return nil, urlFault(optionsRule)
		}
		o.ContextTimeoutEnabled, o.DisableIdentity = true, true
		o.MaintNotificationsConfig = quiet()
		recommend(tunables{&o.MaxRetries, &o.DialerRetries, &o.DialTimeout, &o.ReadTimeout, &o.WriteTimeout, &o.PoolTimeout, &o.ConnMaxIdleTime})
		return redis.NewClusterClient(o), nil
	}
	o, err := redis.ParseURL(rawURL)
	if err != nil {
		return nil, urlFault(optionsRule)
	}
	o.ContextTimeoutEnabled, o.DisableIdentity = true, true
	o.MaintNotificationsConfig = quiet()
	recommend(tunables{&o.MaxRetries, &o.DialerRetries, &o.DialTimeout, &o.ReadTimeout, &o.WriteTimeout, &o.PoolTimeout, &o.ConnMaxIdleTime})
	return redis.NewClient(o), nil
}

func urlFault(rule string) error { return &cacheaside.FieldError{Field: "url", Rule: rule} }

// quiet spares each new connection a handshake that only one vendor's servers understand.
func quiet() *maintnotifications.Config {
	return &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
}

// tunables point into the options of one of the kinds of client, which have these in common but no type.
type tunables struct {
	maxRetries, dialerRetries     *int
	dial, read, write, pool, idle *time.Duration
}

// recommend fills in what the URL left at zero.
func recommend(t tunables) {
	orElse(t.maxRetries, -1)
	orElse(t.dialerRetries, 1)
	orElse(t.dial, recommendedDialTimeout)
	orElse(t.read, recommendedIOTimeout)
	orElse(t.write, recommendedIOTimeout)
	orElse(t.pool, recommendedPoolTimeout)
	orElse(t.idle, recommendedConnIdleTime)
}

func orElse[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}
