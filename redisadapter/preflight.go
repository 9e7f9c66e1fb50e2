package redisadapter

import (
	"context"
	"errors"
	"sync"

	"github.com/redis/go-redis/v9"
)

// Posture is what is known about the servers of a client, and the guard of what is granted on them. It is made by [Preflight] and safe for concurrent
// use. It starts no goroutine and holds no connection.
type Posture struct {
	client    redis.UniversalClient
	needs     Needs
	kind      fleetKind
	known     acquaintance
	refused   error // of Preflight: nothing is granted
	unguarded bool  // nobody asks who the server is

	mu       sync.Mutex // guards what follows; never held while a server is asked
	report   Report
	adopting bool
}

// Preflight asks the servers of a client whether they can keep what is needed, and returns every finding at once, joined: *[DeploymentError],
// *[EvictionError], *[DurabilityError], *[UnverifiableError], *[CapabilityError] and *[IdentityChangedError], each with setting, seen, wanted and
// consequence.
//
// A server that does not answer, or refuses to, has passed nothing: leases and a queue are refused on it. For the cache alone, the zero [Needs], there
// is no error: a cache starts on any server and while there is none, and the findings are in [Report.Noted].
//
// Every primary of a cluster is asked. It sends INFO, CONFIG GET for the two settings of syncing, which INFO does not show, and a script without keys
// that reads the time and INFO; nothing is written. All of it is bounded by the context and [Needs.Timeout].
//
// The posture is nil only where the client or the needs make no sense, which a *[cacheaside.FieldError] says; with every other error it is one that
// refuses, with the report. With [Needs.Known], ResumeAfterFailover and another server than those known, there is a posture and no error: it refuses by
// itself until MaxHold has passed.
func Preflight(ctx context.Context, client redis.UniversalClient, needs Needs) (*Posture, error) {
	needs = needs.withDefaults()
	_, _, clientFault := admit(client, clientTerms{lookup: needs.Timeout, record: needs.Timeout, staleReads: true, ringAllowed: true})
	if err := errors.Join(needs.faults(), clientFault); err != nil {
		return nil, err
	}
	p := &Posture{client: client, needs: needs, kind: kindOf(client)}
	first := p.survey(ctx)
	p.unguarded = !needs.Leases || needs.UnverifiedServerAccepted && first.anonymous()
	p.known.trust(needs.Known)
	if len(needs.Known) == 0 {
		p.known.trust(first.identities())
	}
	refused := p.conclude(first)
	if len(refused) > 0 && !onlyWaiting(refused) {
		p.refused = errors.Join(refused...)
	}
	return p, p.refused
}

// onlyWaiting tells whether nothing is wrong but that another server has to be waited for.
func onlyWaiting(refused []error) bool {
	for _, err := range refused {
		if changed, ok := err.(*IdentityChangedError); !ok || !changed.Resumes { //nolint:errorlint // made here, wrapped by nobody
			return false
		}
	}
	return true
}

// Report gives what the last check found.
func (p *Posture) Report() Report {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.report
}

// Identities are the servers that leases were last granted on, for [Needs.Known] of a later life of this process. They stay the same while another
// server is waited for.
func (p *Posture) Identities() []Identity { return p.known.list() }

// Check asks the servers again, as [Preflight] did, and returns every finding that refuses them, joined; after a Preflight that failed it returns that
// failure and asks nobody. It is for a probe of health, and for a store whose grants are not scripts, which calls it before its first grant after each
// reconnect.
//
// Where another server is found, ResumeAfterFailover is on and MaxHold has passed since it was first noticed, that server is trusted from now on if
// nothing else speaks against it, or against the others of its cluster.
func (p *Posture) Check(ctx context.Context) error {
	if p.refused != nil {
		return p.refused
	}
	return errors.Join(p.conclude(p.survey(ctx))...)
}

// conclude judges who the servers are, adopts those that have waited long enough, and keeps the report. It gives what refuses.
func (p *Posture) conclude(s survey) []error {
	found := s.found
	var due []Identity
	if p.needs.Leases {
		var strangers []judged
		strangers, due = p.recognise(s)
		found = append(found, strangers...)
	}
	report := s.report(found)
	if len(due) > 0 && onlyWaiting(report.Refused) { // for others of a cluster
		p.known.adopt(due)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.report = report
	return report.Refused
}
