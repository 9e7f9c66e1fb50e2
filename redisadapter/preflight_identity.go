package redisadapter

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// Identity tells one life of one server: its run id, new with every start, and its replication id if it was ever a replica in that life, new with every
// promotion. It holds no address and no secret, and is fit to be stored and given to [Needs.Known].
//
//	<run id>:<replication id, or - where it never was a replica>
type Identity string

func (i Identity) valid() bool {
	run, id, found := strings.Cut(string(i), ":")
	return found && isHex(run) && (id == continuesNone || isHex(id))
}

// continuesNone stands for the replication id of a server that continues nobody's history. Its own id is no sign of anything: it changes when the first
// replica attaches, and when the last one has been gone for repl-backlog-ttl.
const continuesNone = "-"

func isHex(s string) bool {
	return s != "" && len(s) <= 64 && strings.Trim(s, "0123456789abcdef") == ""
}

// identityOf reads an identity from INFO, as identity.lua does.
func identityOf(info infoFields) Identity {
	run, id, former := info["run_id"], info["master_replid"], info["master_replid2"]
	if isHex(id) && former != "" && strings.Trim(former, "0") == "" {
		id = continuesNone
	}
	if found := Identity(run + ":" + id); found.valid() {
		return found
	}
	return ""
}

// settled is the same server once it continues nobody's history any more.
func (i Identity) settled() Identity {
	run, _, _ := strings.Cut(string(i), ":")
	return Identity(run + ":" + continuesNone)
}

// maxIdentities bounds what is remembered. A cluster has no more primaries.
const maxIdentities = 1024

// acquaintance is which servers grants may be made on, and since when others have been seen. It is safe for concurrent use.
type acquaintance struct {
	mu       sync.Mutex
	trusted  map[Identity]struct{}
	noticed  map[Identity]time.Time
	granted  []Identity // the last that were trusted, also once they are not any more
	argument string     // of trusted, for identity.lua
}

// trust replaces what is trusted.
func (a *acquaintance) trust(identities []Identity) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.trusted, a.noticed = map[Identity]struct{}{}, nil
	a.add(identities)
}

// add is called under the lock.
func (a *acquaintance) add(identities []Identity) {
	for _, i := range identities {
		a.trusted[i], a.trusted[i.settled()] = struct{}{}, struct{}{}
		delete(a.noticed, i)
	}
	a.granted = slices.Sorted(maps.Keys(a.trusted))
	a.render()
}

func (a *acquaintance) render() {
	var b strings.Builder
	b.WriteByte(' ')
	for _, i := range slices.Sorted(maps.Keys(a.trusted)) {
		b.WriteString(string(i) + " ")
	}
	a.argument = b.String()
}

func (a *acquaintance) list() []Identity {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.granted)
}

func (a *acquaintance) text() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.argument
}

// meet tells how long ago a server was first noticed that is not trusted; known is true for one that is. Where there is one server at a time, noticing
// another ends the trust in the former: what the other granted in between is unknown to it.
func (a *acquaintance) meet(seen Identity, now time.Time, oneAtATime bool) (since time.Duration, known bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, known := a.trusted[seen]; known {
		return 0, true
	}
	if oneAtATime {
		clear(a.trusted)
		a.render()
	}
	first, before := a.noticed[seen]
	if before {
		return now.Sub(first), false
	}
	if oneAtATime || len(a.noticed) >= maxIdentities || a.noticed == nil {
		a.noticed = map[Identity]time.Time{} // whoever else was waiting begins to wait anew
	}
	a.noticed[seen] = now
	return 0, false
}

// adopt trusts servers that were noticed and have waited, beside the others of a cluster.
func (a *acquaintance) adopt(identities []Identity) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.trusted)+2*len(identities) > 2*maxIdentities {
		clear(a.trusted)
	}
	a.add(identities)
}
