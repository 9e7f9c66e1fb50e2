package redisadapter

import (
	"context"
	"errors"
	"strings"

	"github.com/redis/go-redis/v9"
)

// survey is what the servers of a client said, and what is found wrong with each of them but who they are.
type survey struct {
	facts []facts
	found []judged
}

// survey asks one server after the other, so that a check is no burden, within the time limit for all.
func (p *Posture) survey(ctx context.Context) survey {
	within := limited(ctx, p.needs.Timeout)
	defer within.cancel()
	var s survey
	if p.kind == ringOfServers {
		j := &judgement{needs: p.needs}
		j.add(deployment, &DeploymentError{j.finding("client", "a ring", "a client of one server or of a cluster",
			"a ring moves keys between servers when one is lost, and what was granted on one is unknown to the other")})
		s.found = append(s.found, j.found...)
	}
	nodes, err := primaries(within.ctx, p.client, p.needs.Timeout)
	if err != nil {
		s.found = append(s.found, clusterUnknown(p.needs, err)...)
	}
	for _, n := range nodes {
		f := p.ask(within.ctx, n)
		s.facts = append(s.facts, f)
		s.found = append(s.found, judge(p.needs, p.kind, f)...)
	}
	return s
}

// ask asks one server. One that is not reached, or is a sentinel, is asked no further.
func (p *Posture) ask(ctx context.Context, n node) facts {
	q := inquiry{ctx: ctx, client: n.client, clock: p.needs.Clock}
	f := facts{node: n.name}
	f.info, f.asked = q.info()
	if f.asked.unreachable || f.sentinel() {
		return f
	}
	if p.needs.require(durability) {
		f.fsync, f.rewrite = q.config("appendfsync"), q.config("no-appendfsync-on-rewrite")
	}
	f.probed = q.probe()
	return f
}

// clusterUnknown judges a cluster that does not say what its servers are.
func clusterUnknown(needs Needs, err error) []judged {
	j := &judgement{needs: needs}
	refused := refusalOf(err)
	var reply redis.Error
	switch {
	case refused.unreachable:
		j.unreachable(refused)
	case errors.As(err, &reply) && strings.Contains(reply.Error(), "cluster support disabled"):
		j.add(deployment, &DeploymentError{j.finding("cluster-enabled", "no", "yes",
			"a cluster client finds no server for a key; use a client of one server")})
	default:
		j.unknown(deployment, "cluster", "one whose servers this user may see", refusedAnswer("CLUSTER", refused))
	}
	return j.found
}

// report sorts findings by what they do.
func (s survey) report(found []judged) Report {
	var r Report
	for _, f := range s.facts {
		r.Servers = append(r.Servers, f.report())
	}
	for _, f := range found {
		if f.refuses {
			r.Refused = append(r.Refused, f.err)
		} else {
			r.Noted = append(r.Noted, f.err)
		}
	}
	return r
}

// identities are those of the servers that could be told.
func (s survey) identities() []Identity {
	var list []Identity
	for _, f := range s.facts {
		if id := identityOf(f.info); id != "" {
			list = append(list, id)
		}
	}
	return list
}

// anonymous tells whether a server answers that does not say who it is, at all or to a script.
func (s survey) anonymous() bool {
	for _, f := range s.facts {
		if !f.asked.unreachable && (identityOf(f.info) == "" || f.probed.identity == "") {
			return true
		}
	}
	return len(s.facts) == 0
}
