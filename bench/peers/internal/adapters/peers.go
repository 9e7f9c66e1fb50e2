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

// AsksRedis tells that it asks a Redis for every hit.
func (p Peer) AsksRedis() bool { return p.Keeps == inRedis }

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

// Peers gives every library at a place. Nothing is dialled before Open.
func Peers(at Place) []Peer {
	return []Peer{
		survivePeer(at), strictPeer(at),
		otterPeer(), sturdycPeer(), goRedisCachePeer(at), rueidisPeer(at), goZeroPeer(at), failsafePeer(at),
	}
}

// All is Peers for an engine that knows contenders only.
func All(at Place) []contender.Contender {
	var all []contender.Contender
	for _, p := range Peers(at) {
		all = append(all, p.Contender)
	}
	return all
}

// ByID gives the peer of that name.
func ByID(at Place, id string) (Peer, bool) {
	for _, p := range Peers(at) {
		if p.ID == id {
			return p, true
		}
	}
	return Peer{}, false
}
