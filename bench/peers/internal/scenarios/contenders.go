package scenarios

import (
	"net/url"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/live"
	"github.com/cacheaside/resilience/bench/peers/internal/adapters"
	"github.com/cacheaside/resilience/cacheaside"
)

// preset is one of this library's contenders in the lab, whose checks have bounds.
type preset struct {
	library string // in this comparison
	lab     string // to the lab
	policy  func() cacheaside.Policy
}

func presets() []preset {
	return []preset{
		{adapters.Survive, "P7", cacheaside.SurvivePolicy},
		{adapters.Strict, "P6", cacheaside.StrictPolicy},
	}
}

// contender reads through the cache that the lab opens, with the policy as it is but for what a scenario changes.
func (p preset) contender(name string) contender.Contender {
	return contender.Contender{ID: p.lab, Name: name, Library: true, Open: func(node contender.Node) (contender.Reader, error) {
		return contender.OpenRegion(node, p.policy())
	}}
}

// contenders are the libraries as the lab knows them.
func contenders(peers []adapters.Peer) []contender.Contender {
	var list []contender.Contender
	for _, peer := range peers {
		list = append(list, contenderOf(peer))
	}
	return list
}

func contenderOf(peer adapters.Peer) contender.Contender {
	for _, p := range presets() {
		if p.library == peer.ID {
			return p.contender(peer.Name)
		}
	}
	return peer.Contender
}

// Lookup is how a worker process finds its contender: [live.Worker] takes it.
func Lookup(id string, at live.Endpoint) (contender.Contender, bool) {
	place := adapters.Place{Namespace: at.Namespace, Operation: at.Operation}
	if u, err := url.Parse(at.URL); err == nil {
		place.Addr = u.Host
	}
	for _, peer := range adapters.Peers(place) {
		if c := contenderOf(peer); c.ID == id {
			return c, true
		}
	}
	return contender.Contender{}, false
}
