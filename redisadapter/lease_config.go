package redisadapter

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/lease"
)

//go:embed lease_record.lua
var leaseRecordSource string

//go:embed lease_acquire.lua
var leaseAcquireSource string

//go:embed lease_renew.lua
var leaseRenewSource string

//go:embed lease_release.lua
var leaseReleaseSource string

//go:embed lease_inspect.lua
var leaseInspectSource string

var (
	leaseAcquireScript = newScript(GuardedScript(leaseRecordSource + leaseAcquireSource))
	leaseRenewScript   = newScript(leaseRecordSource + leaseRenewSource)
	leaseReleaseScript = newScript(leaseRecordSource + leaseReleaseSource)
	leaseInspectScript = newScript(leaseRecordSource + leaseInspectSource)
)

// kindLease is that of lease records.
const kindLease = "l"

// LeaseConfig describes a store of leases: which keys it has, and where they are. It is a plain value; [NewLeaseStore] copies it, fills the defaults and
// names every fault at once. Processes that share leases must share Namespace, Region, Scope, Secret and MaxHold.
type LeaseConfig struct {
	// Namespace and Region name the application and this set of leases: [A-Za-z0-9_.-]{1,64}.
	Namespace, Region string

	// Scope separates tenants, environments and the like; the same characters. "" is the root, rendered as "-"; "-" itself is refused.
	Scope string

	// Secret is stretched into the key of the HMAC over key names, as [Config.Secret] is. At least 32 bytes. Another secret is another, empty store. It
	// is not kept.
	Secret []byte

	// MaxHold is how long a lease may be held in all, renewals included, counted from its grant. 0 means 1 hour; at least 1 ms, at most 30 days. What
	// holds for a lease is what its Acquire was configured with.
	MaxHold time.Duration

	// Timeout limits one operation in total, as [Config.RecordTimeout] does. 0 means 250 ms; at least 1 ms, at most 1 minute.
	Timeout time.Duration

	// Clock measures how long answers take, and paces the breaker; nil means the real, monotonic clock. It decides nothing.
	Clock clock.Clock

	// Breaker may be shared with the regions of the same client; nil means one of its own.
	Breaker *Breaker

	// Warn is called by NewLeaseStore, once for each option of the client that weakens the promises; nil drops the warnings.
	Warn func(Warning)

	// Known are the servers that an earlier life of this process granted leases on, as [Posture.Identities] of [LeaseStore.Posture] gave them. Empty
	// means that none is remembered, and the server that is found is trusted.
	Known []Identity

	// AcknowledgedWritesMayBeLost lets the server keep its data less well than an append-only file with appendfsync always. A crash may then lose a
	// lease that is held, so that another is granted beside it. Tokens still grow, since they come from the server's time, unless its clock goes back.
	AcknowledgedWritesMayBeLost bool

	// UnverifiedServerAccepted lets a server be used that does not tell how it is set up. Whether it drops leases under pressure, and is the one that
	// granted before, is then for the operator to know.
	UnverifiedServerAccepted bool

	// ResumeAfterFailover goes on with another server, or the same one after a restart, once MaxHold has passed since the change was noticed: whatever
	// the former one granted is over by then. Until then, and for good without it, nothing is granted, with an *[IdentityChangedError].
	ResumeAfterFailover bool
}

func (c LeaseConfig) withDefaults() LeaseConfig {
	if c.MaxHold == 0 {
		c.MaxHold = lease.DefaultMaxHold
	}
	if c.Timeout == 0 {
		c.Timeout = DefaultRecordTimeout
	}
	if c.Clock == nil {
		c.Clock = clock.New()
	}
	return c
}

func (c LeaseConfig) faults() []error {
	var f faultList
	f.name("Namespace", c.Namespace)
	f.name("Region", c.Region)
	if c.Scope != "" {
		f.name("Scope", c.Scope)
	}
	if c.Scope == rootScope {
		f.add("Scope", strconv.Quote(c.Scope), "must not be \"-\", which stands for the root")
	}
	if len(c.Secret) < MinSecretBytes {
		f.add("Secret", strconv.Itoa(len(c.Secret))+" bytes", "must be at least "+strconv.Itoa(MinSecretBytes)+" bytes")
	}
	f.duration("MaxHold", c.MaxHold, lease.MinTTL, lease.MaxMaxHold)
	f.duration("Timeout", c.Timeout, time.Millisecond, maxTimeout)
	return f
}

// needs is what a store of leases asks of a server.
func (c LeaseConfig) needs() Needs {
	return Needs{
		Leases: true, OnePrimary: true, MaxHold: c.MaxHold, Known: c.Known, Clock: c.Clock,
		AcknowledgedWritesMayBeLost: c.AcknowledgedWritesMayBeLost,
		UnverifiedServerAccepted:    c.UnverifiedServerAccepted,
		ResumeAfterFailover:         c.ResumeAfterFailover,
	}
}

// NewLeaseStore makes a store of leases on client, which stays the caller's. It begins with a [Preflight], and refuses a server that may drop leases or
// cannot grant them, with everything that [Preflight] found: a replica, a cluster, an eviction policy of allkeys-* with a memory limit, and, without the
// opt-outs of [LeaseConfig], a server whose acknowledged writes may be lost, and one that does not tell.
//
// Every fault of the configuration is returned at once, joined: each a *[cacheaside.FieldError]. A client must be, or embed, a *redis.Client: the tokens of a
// key come from one primary.
func NewLeaseStore(ctx context.Context, client redis.UniversalClient, cfg LeaseConfig) (*LeaseStore, error) {
	cfg = cfg.withDefaults()
	p, warned, clientFault := admitForLeases(client, cfg.Timeout)
	if err := errors.Join(append(cfg.faults(), clientFault)...); err != nil {
		return nil, err
	}
	derived, err := deriveSecrets(cfg.Secret)
	if err != nil {
		return nil, err
	}
	posture, err := Preflight(ctx, client, cfg.needs())
	if err != nil {
		return nil, err
	}
	s := &LeaseStore{
		keys:      newKeyspace(cfg.Namespace, cfg.Region, cfg.Scope, kindLease, derived.key),
		canonical: newCanonicalizer[string](nil),
		clock:     cfg.Clock,
		maxHold:   cfg.MaxHold,
		posture:   posture,
	}
	breaker := cfg.Breaker
	if breaker == nil {
		breaker = new(Breaker)
		s.owned = breaker
	}
	s.store = newStore(p, breaker, cfg.Clock, storeLimits{lookup: cfg.Timeout, record: cfg.Timeout})
	if cfg.Warn != nil {
		for _, w := range warned {
			cfg.Warn(w)
		}
	}
	return s, nil
}

// admitForLeases is [admit] for a client of one server.
func admitForLeases(client redis.UniversalClient, limit time.Duration) (port, []Warning, error) {
	if !isNil(client) {
		if _, plain := client.(interface{ Options() *redis.Options }); !plain {
			return port{}, nil, &cacheaside.FieldError{
				Field: "client", Value: fmt.Sprintf("a %T", client),
				Rule: "must be, or embed, a *redis.Client: the tokens of a key come from one primary, whatever becomes of a cluster's slots",
			}
		}
	}
	return admit(client, clientTerms{lookup: limit, record: limit})
}
