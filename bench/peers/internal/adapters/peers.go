package adapters

import "github.com/cacheaside/resilience/bench/internal/contender"

// Peer is a contender and what a reader has to know to judge its figures.
type Peer struct {
	contender.Contender
	Module string // of the library, whose version the build knows
	Keeps  string // where values are: "memory", "Redis", "Redis and memory"
	Page   string // the documentation that the adapter follows
}

// InMemory tells that nothing of it is in a Redis.
func (p Peer) InMemory() bool { return p.Keeps == memory }

const (
	memory         = "memory"
	inRedis        = "Redis"
	redisAndMemory = "Redis and memory"
)

// Names of this library's two contenders.
const (
	Survive = "resilience-survive"
	Strict  = "resilience-strict"
)

// Peers gives every library on the Redis at addr, host and port, without a password. Nothing is dialled before Open.
func Peers(addr string) []Peer {
	return []Peer{
		survivePeer(addr), strictPeer(addr),
		otterPeer(), sturdycPeer(), goRedisCachePeer(addr), rueidisPeer(addr), goZeroPeer(addr), failsafePeer(addr),
	}
}

// All is Peers for an engine that knows contenders only.
func All(addr string) []contender.Contender {
	var all []contender.Contender
	for _, p := range Peers(addr) {
		all = append(all, p.Contender)
	}
	return all
}

// ByID gives the peer of that name.
func ByID(addr, id string) (Peer, bool) {
	for _, p := range Peers(addr) {
		if p.ID == id {
			return p, true
		}
	}
	return Peer{}, false
}
