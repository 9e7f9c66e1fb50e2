package redisadapter

import "strings"

// facts are what one server said of itself.
type facts struct {
	node    string
	asked   refusal // of INFO
	info    infoFields
	fsync   answer // appendfsync
	rewrite answer // no-appendfsync-on-rewrite
	probed  probed
}

// sentinel tells whether this is no server that keeps data.
func (f facts) sentinel() bool {
	return f.info["redis_mode"] == "sentinel" || f.info["server_mode"] == "sentinel"
}

// judged is one finding: an error that refuses the server, or is only reported.
type judged struct {
	err     error
	refuses bool
}

// judgement collects what is found on one server.
type judgement struct {
	needs Needs
	facts facts
	found []judged
}

// judge compares what a server said with what is needed, and finds everything at once. Only a sentinel and a server that is not reached end it early,
// since nothing else can be said about them.
func judge(needs Needs, kind fleetKind, f facts) []judged {
	j := &judgement{needs: needs, facts: f}
	if f.asked.unreachable {
		j.unreachable(f.asked)
		return j.found
	}
	if !j.deployment(kind) {
		return j.found
	}
	j.eviction()
	if needs.require(durability) {
		j.durability()
	}
	j.capability()
	return j.found
}

// add decides what a finding means: an aspect that is not needed, or whose loss was accepted, is only reported.
func (j *judgement) add(a aspect, err error) {
	refuses := j.needs.require(a)
	switch e := err.(type) { //nolint:errorlint // made here, wrapped by nobody
	case *DurabilityError:
		refuses = refuses && !j.needs.AcknowledgedWritesMayBeLost
	case *UnverifiableError:
		refuses = refuses && (e.Unreachable || !j.needs.UnverifiedServerAccepted)
	}
	j.found = append(j.found, judged{err, refuses})
}

func (j *judgement) finding(setting, seen, wanted, consequence string) Finding {
	return Finding{Setting: setting, Seen: seen, Wanted: wanted, Consequence: consequence, Node: j.facts.node}
}

func (j *judgement) unreachable(r refusal) {
	j.add(reach, &UnverifiableError{
		Finding:     j.finding("server", "unreachable ("+r.text+")", "reachable", "nothing about it can be told; try again once it answers"),
		Unreachable: true, cause: r.cause,
	})
}

// unknown adds a setting that the server does not show.
func (j *judgement) unknown(a aspect, setting, wanted string, got answer) {
	j.add(a, &UnverifiableError{
		Finding:     j.finding(setting, "unknown ("+got.reason+")", wanted, "what is not shown is not taken for granted; let this user see it"),
		Unreachable: got.refused.unreachable, cause: got.refused.cause,
	})
}

// field reads a field of INFO, which may have been refused as a whole.
func (j *judgement) field(names ...string) answer {
	if refused := j.facts.asked; refused.happened() {
		return refusedAnswer("INFO", refused)
	}
	return j.facts.info.plain(names...)
}

// deployment reports false for a sentinel, of which nothing else is to be asked.
func (j *judgement) deployment(kind fleetKind) bool {
	const wantedMode = "standalone, or cluster through a cluster client"
	mode, role, clustered := j.field("redis_mode", "server_mode"), j.field("role"), j.field("cluster_enabled")
	cluster := mode.value == "cluster" || clustered.value == "1"
	switch {
	case j.facts.sentinel():
		j.add(deployment, &DeploymentError{j.finding("redis_mode", "sentinel", wantedMode,
			"a sentinel keeps no data; give its address to a failover client")})
		return false
	case cluster && kind == oneServer:
		j.add(deployment, &DeploymentError{j.finding("redis_mode", "cluster", "standalone",
			"this client reaches the keys of one node only; use a cluster client")})
	case cluster && j.needs.OnePrimary:
		j.add(deployment, &DeploymentError{j.finding("redis_mode", "cluster", "standalone",
			"one primary is promised, and a cluster has several")})
	case !mode.known() && !(clustered.value == "0" && role.known()):
		j.unknown(deployment, "redis_mode", wantedMode, mode)
	case mode.known() && mode.value != "standalone" && !cluster: // a proxy, whose servers have not been asked
		j.unknown(deployment, "redis_mode", wantedMode, answer{reason: mode.value + ", which is none that is known"})
	}
	switch {
	case !role.known():
		j.unknown(deployment, "role", "master", role)
	case role.value != "master":
		j.add(deployment, &DeploymentError{j.finding("role", role.value, "master",
			"a replica takes no writes and may not have seen the last ones; give the address of the primary")})
	}
	return true
}

func (j *judgement) eviction() {
	const setting, wanted = "maxmemory-policy", "noeviction or volatile-*, or no memory limit"
	policy, limit := j.field("maxmemory_policy"), j.field("maxmemory")
	volatile, isVolatile := strings.CutPrefix(policy.value, "volatile-")
	safe := policy.value == "noeviction" || isVolatile && volatile != ""
	consequence := "a full server drops leases, slots and queued work, which are then given out twice"
	if !j.needs.coordinates() {
		consequence = "a full server drops the tombstone of an invalidation, and a load that began before it may bring the old value back"
	}
	switch {
	case safe, limit.value == "0":
	case !policy.known():
		j.unknown(eviction, setting, wanted, policy)
	case !limit.known():
		j.unknown(eviction, "maxmemory", "0 where maxmemory-policy is "+policy.value, limit)
	default:
		j.add(eviction, &EvictionError{j.finding(setting, policy.value+" with maxmemory "+limit.value, wanted, consequence)})
	}
}

func (j *judgement) durability() {
	rows := []struct {
		setting, wanted, consequence string
		got                          answer
	}{
		{"appendonly", "yes", "a crash loses granted tokens and queued work", yesOrNo(j.field("aof_enabled"))},
		{"appendfsync", "always", "a crash loses what was acknowledged since the last sync", j.facts.fsync},
		{"no-appendfsync-on-rewrite", "no", "nothing is synced while the file is rewritten, and a crash loses it", j.facts.rewrite},
	}
	for _, row := range rows {
		switch {
		case !row.got.known():
			j.unknown(durability, row.setting, row.wanted, row.got)
		case row.got.value != row.wanted:
			j.add(durability, &DurabilityError{j.finding(row.setting, row.got.value, row.wanted, row.consequence)})
		}
	}
}

// yesOrNo gives a switch of INFO as the configuration writes it.
func yesOrNo(a answer) answer {
	switch a.value {
	case "0":
		a.value = "no"
	case "1":
		a.value = "yes"
	}
	return a
}

func (j *judgement) capability() {
	p := j.facts.probed
	switch {
	case !p.refused.happened():
	case p.refused.unreachable:
		j.unreachable(p.refused)
	default:
		j.add(capability, &CapabilityError{
			Finding: j.finding(p.command, "refused ("+p.refused.text+")", "allowed", "every decision is one script on the server's own time"),
			cause:   p.refused.cause,
		})
	}
}
