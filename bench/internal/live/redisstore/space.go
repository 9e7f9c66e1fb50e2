package redisstore

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/redisadapter"
)

const (
	checkWait  = 3 * time.Second
	sweepWait  = 10 * time.Second
	patient    = 10 * time.Second
	sweepCount = 1000 // keys that one SCAN looks at
)

// Space is where the processes of one run keep their entries: a server, a namespace on it and the secret that they share.
type Space struct {
	URL       string // holds the password, if there is one
	Namespace string // all keys begin with it and a colon
	Secret    []byte
}

// New draws a namespace that nobody has used before, and a secret.
func New(url string) Space {
	var name [8]byte
	secret := make([]byte, redisadapter.MinSecretBytes)
	_, _ = rand.Read(name[:]) // never fails
	_, _ = rand.Read(secret)
	return Space{URL: url, Namespace: "stampede-" + hex.EncodeToString(name[:]), Secret: secret}
}

// UnreachableError says that no Redis answered where one was named. It holds no password.
type UnreachableError struct {
	Addr  string // host and port, or the path of a socket
	Cause error
}

func (e *UnreachableError) Error() string {
	return fmt.Sprintf("redis: the server at %s does not answer as it should: %v", e.Addr, e.Cause)
}

// Unwrap gives what went wrong.
func (e *UnreachableError) Unwrap() error { return e.Cause }

// ErrOneServer refuses what the lab cannot measure.
var ErrOneServer = errors.New("redis: the URL names a cluster or sentinels; the lab measures one server")

// errURL stands for the words of go-redis, which would hold the URL, password and all.
var errURL = errors.New("redis: the URL is not one that go-redis can parse")

// Check tells whether a server answers at the URL and takes a key of the lab's, which it deletes again.
func Check(ctx context.Context, rawURL string) error {
	client, err := open(rawURL)
	if err != nil {
		return err
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(ctx, checkWait)
	defer cancel()
	if err := reach(ctx, client); err != nil {
		return err
	}
	key := New(rawURL).Namespace + ":check"
	if err := client.Set(ctx, key, "", checkWait).Err(); err != nil {
		return &UnreachableError{client.Options().Addr, err}
	}
	if err := client.Del(ctx, key).Err(); err != nil {
		return &UnreachableError{client.Options().Addr, err}
	}
	return nil
}

// reach dials the server by hand, for a client writes a line to standard error for each dial that fails.
func reach(ctx context.Context, client *redis.Client) error {
	conn, err := new(net.Dialer).DialContext(ctx, client.Options().Network, client.Options().Addr)
	if err != nil {
		return &UnreachableError{client.Options().Addr, err}
	}
	return conn.Close()
}

// Version is what the server calls itself, "redis 7.4.2"; of one that does not tell, it says so.
func Version(ctx context.Context, rawURL string) string {
	const unknown = "redis of unknown version"
	client, err := open(rawURL)
	if err != nil {
		return unknown
	}
	defer client.Close()
	text, err := client.Info(ctx, "server").Result()
	if err != nil {
		return unknown
	}
	fields := make(map[string]string)
	for line := range strings.Lines(text) {
		if name, value, found := strings.Cut(strings.TrimSpace(line), ":"); found {
			fields[name] = value
		}
	}
	switch {
	case fields["valkey_version"] != "":
		return "valkey " + fields["valkey_version"]
	case fields["redis_version"] != "":
		return "redis " + fields["redis_version"]
	default:
		return unknown
	}
}

// Sweep deletes every key of the space, and gives how many there were. Others are not touched.
func (s Space) Sweep(ctx context.Context) (int64, error) {
	client, err := open(s.URL)
	if err != nil {
		return 0, err
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(ctx, sweepWait)
	defer cancel()
	if err := reach(ctx, client); err != nil {
		return 0, err
	}
	deleted, cursor := int64(0), uint64(0)
	for {
		keys, next, err := client.Scan(ctx, cursor, s.Namespace+":*", sweepCount).Result()
		if err != nil {
			return deleted, &UnreachableError{client.Options().Addr, err}
		}
		if len(keys) > 0 {
			n, err := client.Unlink(ctx, keys...).Result()
			if err != nil {
				return deleted, &UnreachableError{client.Options().Addr, err}
			}
			deleted += n
		}
		if cursor = next; cursor == 0 {
			return deleted, nil
		}
	}
}

// OpenPatient opens a client with so many connections that none is waited for, and with limits that a busy machine does not meet. It dials nothing
// yet.
func (s Space) OpenPatient(connections int) (*redis.Client, error) {
	options, err := redis.ParseURL(s.URL)
	if err != nil {
		return nil, errURL
	}
	options.PoolSize = connections
	options.ContextTimeoutEnabled, options.DisableIdentity, options.MaxRetries = true, true, -1
	options.DialTimeout, options.ReadTimeout, options.WriteTimeout, options.PoolTimeout = patient, patient, patient, patient
	return redis.NewClient(options), nil
}

// open makes a client with this library's settings. Errors never hold the URL.
func open(rawURL string) (*redis.Client, error) {
	universal, err := redisadapter.OpenClient(rawURL)
	if err != nil {
		return nil, err
	}
	parsed, _ := url.Parse(rawURL) // the line above has parsed it
	client, one := universal.(*redis.Client)
	if !one || parsed.Query().Has("master_name") {
		_ = universal.Close() // it has dialled nothing
		return nil, ErrOneServer
	}
	return client, nil
}
