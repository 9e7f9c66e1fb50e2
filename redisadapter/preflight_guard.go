package redisadapter

import (
	"context"
	"time"
)

// GuardedScript puts the guard in front of a script that grants something. The function stranger(accepted) is then defined in it, which returns nil
// where the server is one to grant on, and otherwise what [Posture.Admit] is to be told; accepted is the argument with [Posture.GuardArgument]. It
// reads nothing but INFO and writes nothing, some 5 µs of the server's time, and so decides in the same step as the grant, on whatever connection and
// whichever node:
//
//	local seen = stranger(ARGV[1])
//	if seen then
//	  return 'stranger ' .. seen
//	end
//
// The second answer may be a stranger's as well: after a second failover, or because another caller of the same [Posture] has met somebody else since. It
// has granted nothing either, so that nothing is unknown, and Admit is to be told of it too. Where Admit returns nil again, give up instead of going round.
func GuardedScript(source string) string { return identitySource + source }

// GuardArgument is what a guarded script is to be given: the servers that may grant, between spaces. It is empty, and every server grants, where no
// leases are needed, and where a server that does not say who it is was accepted ([Needs.UnverifiedServerAccepted]). After a failed Preflight no
// server may.
func (p *Posture) GuardArgument() string {
	switch {
	case p.refused != nil:
		return " "
	case p.unguarded:
		return ""
	}
	return p.known.text()
}

// Admit decides about a server that a guarded script did not grant on, given what stranger returned. nil means that it is trusted by now: ask
// once more, with a new [Posture.GuardArgument], and expect that it may be refused again, as [GuardedScript] says. Otherwise nothing was granted, and
// the error says why: *[IdentityChangedError] until MaxHold has passed, *[UnverifiableError] where the server does not say who it is, or the findings
// of a check that the server has to pass first, within [Needs.Timeout].
func (p *Posture) Admit(ctx context.Context, stranger string) error {
	if p.refused != nil {
		return p.refused
	}
	seen := Identity(stranger)
	if !seen.valid() {
		return p.nameless("", answer{reason: "refused inside a script"})
	}
	since, known := p.meet(seen)
	switch {
	case known:
		return nil
	case !p.due(since) || !p.beginAdopting():
		return p.changed("", seen, since)
	}
	defer p.endAdopting()
	err := p.Check(ctx)
	since, known = p.meet(seen)
	switch {
	case known: // whatever is wrong with others
		return nil
	case err == nil:
		err = p.changed("", seen, since)
	}
	return err
}

// recognise compares the servers with those that are trusted, and gives what is wrong and who has waited long enough.
func (p *Posture) recognise(s survey) (strangers []judged, due []Identity) {
	j := &judgement{needs: p.needs}
	for _, f := range s.facts {
		if f.asked.unreachable || f.sentinel() {
			continue
		}
		seen := identityOf(f.info)
		switch {
		case f.asked.happened():
			j.add(identity, p.nameless(f.node, refusedAnswer("INFO", f.asked)))
			continue
		case seen == "":
			j.add(identity, p.nameless(f.node, answer{reason: "missing in what the server answers"}))
			continue
		case f.probed.ran() && f.probed.identity == "":
			j.add(identity, p.nameless(f.node, answer{reason: "refused inside a script"}))
		case f.probed.ran() && f.probed.identity != seen:
			j.add(identity, p.nameless(f.node, answer{reason: "different with each connection"}))
		}
		since, known := p.meet(seen)
		switch {
		case known:
		case p.due(since):
			due = append(due, seen)
		default:
			j.add(identity, p.changed(f.node, seen, since))
		}
	}
	return j.found, due
}

func (p *Posture) meet(seen Identity) (since time.Duration, known bool) {
	return p.known.meet(seen, p.needs.Clock.Now(), p.kind == oneServer)
}

func (p *Posture) due(since time.Duration) bool {
	return p.needs.ResumeAfterFailover && since >= p.needs.MaxHold
}

func (p *Posture) changed(node string, seen Identity, since time.Duration) *IdentityChangedError {
	err := &IdentityChangedError{Finding: Finding{
		Setting: "run_id, master_replid", Seen: string(seen), Node: node,
		Wanted:      "a server that granted before",
		Consequence: "what was granted before may be unknown to this server; restart when every lease has ended, or set ResumeAfterFailover",
	}}
	if p.needs.ResumeAfterFailover {
		err.Resumes, err.Remaining = true, max(p.needs.MaxHold-since, 0)
		err.Consequence = "what was granted before may be unknown to this server; granting goes on in " + err.Remaining.String()
	}
	return err
}

// nameless is the finding about a server that does not say who it is.
func (p *Posture) nameless(node string, why answer) *UnverifiableError {
	j := &judgement{needs: p.needs, facts: facts{node: node}}
	return &UnverifiableError{
		Finding: j.finding("run_id, master_replid", "unknown ("+why.reason+")", "shown by INFO, in scripts too",
			"a restart or a failover would pass unnoticed; let this user run INFO"),
		cause: why.refused.cause,
	}
}

func (p *Posture) beginAdopting() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.adopting {
		return false
	}
	p.adopting = true
	return true
}

func (p *Posture) endAdopting() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.adopting = false
}
