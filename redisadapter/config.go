package redisadapter

import (
	"crypto/rand"
	"time"

	"github.com/benbjohnson/clock"
)

// Defaults and bounds of [Config].
const (
	DefaultMaxValueBytes = 1 << 20
	MaxMaxValueBytes     = 16 << 20
	DefaultLookupTimeout = 100 * time.Millisecond
	DefaultRecordTimeout = 250 * time.Millisecond
	DefaultMaxClockSkew  = time.Minute
	MinSecretBytes       = 32

	minGenerationAge = 10 * time.Millisecond
	maxGenerationAge = time.Hour

	maxTimeout   = time.Minute
	maxClockSkew = 24 * time.Hour
)

// Config describes one region: the keys K, the values V, and where and how they are stored. It is a plain value; [New] copies it, fills the
// defaults and names every fault at once. Processes that share entries must share Namespace, Region, Scope, Secret, KeyString, the kind of K,
// PayloadSchema and a codec of the same shape.
type Config[K comparable, V any] struct {
	// Namespace and Region name the application and the region: [A-Za-z0-9_.-]{1,64}.
	Namespace, Region string

	// Scope separates tenants, environments and the like; the same characters. "" is the root, rendered as "-"; "-" itself is refused.
	Scope string

	// Secret is stretched by HKDF-SHA256 (RFC 5869) into the keys of the HMACs over key names, entries and jitter. At least 32 bytes. Another
	// secret is another, empty cache. It is not kept.
	Secret []byte

	// KeyString gives a key's canonical text and must be injective; it is required unless K is of a string or integer kind. Key texts are 1 byte
	// to 1 MiB ([MaxKeyBytes]); others are refused before any command.
	KeyString func(K) string

	// Codec turns values into bytes and back; nil means [Msgpack].
	Codec Codec[V]

	// PayloadSchema is the user's own number. Change it when the meaning of a value changes but its shape does not; entries with another number
	// are then of another shape.
	PayloadSchema uint32

	// TTL states how long entries live.
	TTL TTLPolicy

	// MaxValueBytes bounds the payload, what the codec makes of a value: exactly so many bytes are stored, one more is refused with nothing sent.
	// The bytes around the payload do not count. 0 means 1 MiB; at most 16 MiB.
	MaxValueBytes int

	// LookupTimeout and RecordTimeout limit one lookup and one record in total: the wait for a connection, a dial and its handshake, writing,
	// reading, and the one read-back of a record. The caller's context can only shorten them. 0 means 100 ms and 250 ms; at least 1 ms, at most
	// 1 minute. A large value needs more. Lookups whose contexts cannot be cancelled share
	// deadlines where they begin together, and have up to a sixteenth less.
	LookupTimeout, RecordTimeout time.Duration

	// MaxClockSkew is how far the clocks of two processes may differ. An entry that is to live longer than 30 days and this is refused as corrupt.
	// 0 means 1 minute.
	MaxClockSkew time.Duration

	// Fenced makes a cache for fenced fills ([cacheaside.Fleet]): each key is loaded once per fleet. Its entries have names of their own, so that a
	// process without fences cannot write them: switching is a cold start. An invalidation reaches the entries of both.
	Fenced bool

	// OrderedRevisions says that revisions are ordered by their bytes ([cacheaside.Putter]), so that numbers in them are padded to one width. Then what
	// is older than anything known of its key is refused, and Put is offered. It needs Fenced.
	OrderedRevisions bool

	// Owner names this process in the fence records, for whoever looks at them: [A-Za-z0-9_.-]{1,64}. "" means a random name.
	Owner string

	// GenerationAge gives the region generations, so that all of it can be invalidated at once ([cacheaside.InvalidateRegion]), and says how long a
	// process may go on with the generation that it knows: for so long after an InvalidateRegion it may answer what was loaded before. 0 means no
	// generations; at least 10 ms, at most 1 hour. A lookup in every half of it takes two round trips. Processes that share entries must agree on
	// having generations; giving a region some, or none, is a cold start.
	GenerationAge time.Duration

	// Clock tells fresh from stale from expired, and paces the breaker; nil means the real clock. Time limits are of the real clock always.
	Clock clock.Clock

	// Breaker may be shared by the regions of one client; nil means one of its own.
	Breaker *Breaker

	// Warn is called by New, once for each option of the client that weakens the promises; nil drops the warnings.
	Warn func(Warning)

	// StaleReadsAccepted lets a cluster client read from replicas (ReadOnly, RouteByLatency, RouteRandomly). A replica may not have seen the last
	// write or invalidation, so a value that was invalidated may still be answered, and replaces are refused in vain.
	StaleReadsAccepted bool

	// LostInvalidationsAccepted lets a *redis.Ring be used. A ring moves keys between servers when one is lost, so that what was invalidated can
	// come back.
	LostInvalidationsAccepted bool
}

func (c Config[K, V]) withDefaults() Config[K, V] {
	c.TTL = c.TTL.withDefaults()
	if c.Owner == "" {
		c.Owner = rand.Text()
	}
	if c.Codec == nil {
		c.Codec = Msgpack[V]()
	}
	if c.MaxValueBytes == 0 {
		c.MaxValueBytes = DefaultMaxValueBytes
	}
	if c.LookupTimeout == 0 {
		c.LookupTimeout = DefaultLookupTimeout
	}
	if c.RecordTimeout == 0 {
		c.RecordTimeout = DefaultRecordTimeout
	}
	if c.MaxClockSkew == 0 {
		c.MaxClockSkew = DefaultMaxClockSkew
	}
	if c.Clock == nil {
		c.Clock = clock.New()
	}
	return c
}

// kind is that of the entries.
func (c Config[K, V]) kind() string {
	if c.Fenced {
		return kindFenced
	}
	return kindValue
}
