package main

import (
	"strings"
	"time"
)

// filled is a fence record under which something has been stored.
func filled(revision string) held {
	return with(fenceOf("5", requestA, "0"), "revision "+revision)
}

var grantOf5 = fenceOf("5", requestA, "now+30000000")

// fillArgs are those that both ways to fill have in common, in the order of the one for small values.
type fillArgs struct{ token, request, digest, ordered, revision, gone string }

func (a fillArgs) small() []string {
	return []string{a.token, a.request, a.digest, a.ordered, a.revision, newValue, hour, a.gone}
}

func (a fillArgs) staged() []string {
	return []string{a.token, a.request, a.digest, a.ordered, a.revision, hour, a.gone}
}

// sharedFill is a scene of both ways to fill.
type sharedFill struct {
	name   string
	args   fillArgs
	entry  *held
	record *held
	reply  string // "1": stored
	fails  string
	deny   string
}

func at(h held) *held { return &h }

func sharedFills() []sharedFill {
	plain := fillArgs{"5", requestA, "", "0", "r8", "0"}
	on := func(digest, gone string) fillArgs { return fillArgs{"5", requestA, digest, "0", "r8", gone} }
	under := func(token, request string) fillArgs { return fillArgs{token, request, "", "0", "r8", "0"} }
	ordered := func(revision string) fillArgs { return fillArgs{"5", requestA, "", "1", revision, "0"} }
	entry, other := at(seen(seenDigest)), at(seen(otherDigest))
	live := &grantOf5
	remembers := func(revision string) *held { return at(with(grantOf5, "revision "+revision)) }
	return []sharedFill{
		{name: "over nothing", args: plain, record: live, reply: "1"},
		{name: "over an entry, the fence alone deciding", args: plain, entry: entry, record: live, reply: "1"},
		{name: "over the entry seen", args: on(seenDigest, "0"), entry: entry, record: live, reply: "1"},
		{name: "over the entry seen, absence being as good", args: on(seenDigest, "1"), entry: entry, record: live, reply: "1"},
		{name: "over another entry", args: on(seenDigest, "1"), entry: other, record: live, reply: "0"},
		{name: "over absence, where an entry was seen", args: on(seenDigest, "0"), record: live, reply: "2"},
		{name: "over absence, absence being as good", args: on(seenDigest, "1"), record: live, reply: "1"},
		{name: "over an empty string", args: plain, entry: at(held{}), record: live, reply: "0"},
		{name: "over a foreign value", args: plain, entry: at(held{kind: "list"}), record: live, reply: "3"},
		{name: "under a grant that ran out", args: plain, record: at(fenceOf("5", requestA, "now-1")), reply: "1"},
		{name: "under another token", args: under("6", requestA), entry: entry, record: live, reply: "6"},
		{name: "under another request", args: under("5", requestB), entry: entry, record: live, reply: "6"},
		{name: "under a lost record", args: plain, reply: "6"},
		{name: "under a foreign record", args: plain, entry: entry, record: at(held{kind: "list"}), fails: "WRONGTYPE"},
		{name: "of an older revision than is stored", args: ordered("r6"), entry: at(held{text: revised("r7")}), record: live, reply: "7"},
		{name: "of the same revision as is stored", args: ordered("r7"), entry: at(held{text: revised("r7")}), record: live, reply: "1"},
		{name: "of an older revision than is remembered", args: ordered("r6"), record: remembers("r7"), reply: "7"},
		{name: "of an older revision where they have no order", args: fillArgs{"5", requestA, "", "0", "r6", "0"}, record: remembers("r7"), reply: "1"},
		{name: "GETRANGE not allowed", args: plain, entry: entry, record: live, deny: "getrange", fails: notAllowed},
		{name: "HMGET not allowed", args: plain, entry: entry, record: live, deny: "hmget", fails: notAllowed},
	}
}

func (f sharedFill) scene(args []string, raw held) scene {
	s := scene{name: f.name, args: args, reply: f.reply, fails: f.fails, without: f.deny, before: map[int]held{}}
	if f.entry != nil {
		s.before[1] = *f.entry
	}
	if f.record != nil {
		s.before[2] = *f.record
	}
	if f.reply == "1" {
		s.after = map[int]held{1: raw, 2: filled(f.args.revision)}
	}
	return s
}

func fillScenes() []scene {
	stored := held{text: newValue, life: hourLife}
	var scenes []scene
	for _, f := range sharedFills() {
		scenes = append(scenes, f.scene(f.args.small(), stored))
	}
	args := fillArgs{"5", requestA, "", "0", "r8", "0"}.small()
	entry, absent := map[int]held{1: seen(seenDigest), 2: grantOf5}, map[int]held{2: grantOf5}
	return append(scenes,
		scene{name: "SET not allowed, over an entry", args: args, before: entry, without: "set", fails: notAllowed},
		scene{name: "SET not allowed, over nothing", args: args, before: absent, without: "set", fails: notAllowed},
		scene{name: "no memory", args: args, before: entry, full: true, fails: noMemory},
		scene{name: "a grant that cannot be ended", args: args, before: absent, without: "hset", reply: "1", after: map[int]held{1: stored}},
	)
}

func swapScenes() []scene {
	stored, gone, staged := held{text: newValue, life: hourLife}, held{kind: "gone"}, held{text: newValue, life: stagedLife}
	var scenes []scene
	for _, f := range sharedFills() {
		s := f.scene(f.args.staged(), stored)
		s.before[3] = staged
		if s.after == nil {
			s.after = map[int]held{}
		}
		s.after[3] = gone
		scenes = append(scenes, s)
	}
	args := fillArgs{"5", requestA, "", "0", "r8", "0"}.staged()
	entry, absent := map[int]held{1: seen(seenDigest), 2: grantOf5, 3: staged}, map[int]held{2: grantOf5, 3: staged}
	left := map[int]held{3: gone}
	endless := fillArgs{"5", requestA, "", "0", "r8", "0"}.staged()
	endless[5] = "soon"
	return append(scenes,
		scene{name: "what was staged is lost", args: args, before: map[int]held{1: seen(seenDigest), 2: grantOf5}, reply: "5"},
		scene{name: "a life that is no number", args: endless, before: entry, fails: notNumber, after: left},
		scene{name: "PEXPIRE not allowed", args: args, before: entry, without: "pexpire", fails: notAllowed, after: left},
		scene{name: "RENAME not allowed", args: args, before: entry, without: "rename", fails: notAllowed, after: left},
		scene{name: "RENAMENX not allowed", args: args, before: absent, without: "renamenx", fails: notAllowed, after: left},
		scene{
			name: "UNLINK not allowed, under a lost record", args: args, before: map[int]held{1: seen(seenDigest), 3: staged}, without: "unlink", reply: "6",
		},
		scene{
			name: "a grant that cannot be ended", args: args, before: absent, without: "hset", reply: "1",
			after: map[int]held{1: stored, 3: gone},
		},
	)
}

func putScenes() []scene {
	const other = "CA other tombstone"
	call := func(revision string) []string { return []string{newValue, "1800000", revision, hour, other} }
	stored, buried := held{text: newValue, life: hourLife / 2}, held{text: other, life: hourLife}
	issued := func(token, revision string) held {
		return held{fields: "token " + token + " request - owner - expires 0 revision " + revision, life: hourLife}
	}
	entry := map[int]held{1: {text: revised("r7")}, 2: with(grantOf5, "revision r7")}
	newer := scene{
		name: "a newer revision", args: call("r8"), reply: "1", before: entry, after: map[int]held{1: stored, 2: issued("now", "r8"), 3: buried},
	}
	scenes := []scene{
		newer,
		{name: "over nothing", args: call("r8"), reply: "1", after: newer.after},
		{name: "an older revision", args: call("r6"), reply: "7", before: entry, after: map[int]held{3: buried}},
		{name: "the same revision", args: call("r7"), reply: "1", before: entry, after: map[int]held{1: stored, 2: issued("now", "r7"), 3: buried}},
		{
			name: "an older revision than the entry's alone", args: call("r6"), reply: "7", before: map[int]held{1: entry[1]}, after: map[int]held{3: buried},
		},
		{
			name: "an older revision than is remembered", args: call("r6"), reply: "7", before: map[int]held{2: entry[2]}, after: map[int]held{3: buried},
		},
		{
			name: "a token ahead of the clock", args: call("r8"), reply: "1", before: map[int]held{2: fenceOf("9000000000000000", requestA, "0")},
			after: map[int]held{1: stored, 2: issued("9000000000000001", "r8"), 3: buried},
		},
		{name: "a foreign value", args: call("r8"), reply: "3", before: map[int]held{1: {kind: "list"}, 2: grantOf5}},
		{
			name: "a foreign value of the other mode", args: call("r8"), reply: "1", before: map[int]held{3: {kind: "list"}},
			after: map[int]held{1: stored, 2: issued("now", "r8")},
		},
		{name: "a foreign record", args: call("r8"), fails: "WRONGTYPE", before: map[int]held{1: entry[1], 2: {kind: "list"}}},
		{name: "no memory", args: call("r8"), full: true, fails: noMemory, before: entry},
		{name: "no memory, an older revision", args: call("r6"), full: true, fails: noMemory, before: entry},
		{name: "SET not allowed", args: call("r8"), without: "set", fails: notAllowed, before: entry, after: map[int]held{2: issued("now", "r8")}},
		{
			name: "SET not allowed, a foreign value of the other mode", args: call("r8"), without: "set", fails: notAllowed,
			before: map[int]held{3: {kind: "list"}}, after: map[int]held{2: issued("now", "r8")},
		},
		{
			name: "SET of the other mode's entry not allowed", args: call("r8"), without: setOf1, fails: "can't ", before: entry,
			after: map[int]held{2: issued("now", "r8")},
		},
		{name: "SET not allowed, an older revision", args: call("r6"), without: "set", fails: notAllowed, before: entry},
		{
			name: "a life that cannot be set", args: call("r8"), without: "pexpire", reply: "1", before: entry,
			after: map[int]held{1: stored, 2: {kind: "gone"}, 3: buried},
		},
		{
			name: "a life that cannot be set, and no leave to unlink", args: call("r8"), without: "pexpire unlink", reply: "1", before: entry,
			after: map[int]held{1: stored, 2: living(issued("now", "r8"), entryLife), 3: buried},
		},
	}
	return append(scenes, refusals(newer, "getrange", "hmget", "hset", "time")...)
}

// revisionScenes are of put.lua, which compares revisions, and of nothing else that it does.
func revisionScenes() []scene {
	const other = "CA other tombstone"
	pairs := []struct{ older, newer string }{
		{"a", "b"}, {"a", "aa"}, {"10", "9"}, {"A", "a"}, {"Z", "_"}, {"z", "\u00e9"}, {"a\x00", "aa"}, {"ab", "b"}, {"aZ", "b"}, {"a1", "a2"}, {"a", "b9"},
	}
	var scenes []scene
	add := func(name, given string, entry, record *held, older bool) {
		s := scene{name: name, args: []string{newValue, "1800000", given, hour, other}, reply: "1", before: map[int]held{}}
		if entry != nil {
			s.before[1] = *entry
		}
		if record != nil {
			s.before[2] = *record
		}
		s.after = map[int]held{3: {text: other, life: hourLife}}
		if older {
			s.reply = "7"
		} else {
			s.after[1] = held{text: newValue, life: hourLife / 2}
			s.after[2] = held{fields: "token now request - owner - expires 0 revision " + given, life: time.Hour}
		}
		scenes = append(scenes, s)
	}
	of := func(revision string) *held { return at(held{text: revised(revision)}) }
	for _, p := range pairs {
		add(p.older+" after "+p.newer, p.older, of(p.newer), nil, true)
		if len(p.older) == len(p.newer) || p.older != "a\x00" {
			add(p.newer+" after "+p.older, p.newer, of(p.older), nil, false)
		}
	}
	remembers := func(revision string) *held { return at(with(grantOf5, "revision "+revision)) }
	add("the same", "b", of("b"), nil, false)
	add("the entry knows more than the record", "b", of("c"), remembers("a"), true)
	add("the record knows more than the entry", "b", of("a"), remembers("c"), true)
	add("both know less", "c", of("a"), remembers("b"), false)
	add("the longest revision", longest+"a", of(longest+"b"), nil, true)
	old := held{text: "CA\x01\x01" + revised("c")[4:]}
	add("an entry of another format", "b", &old, nil, false)
	short := held{text: revised("c")[:32]}
	add("an entry too short for a revision", "b", &short, nil, false)
	return append(scenes, scene{
		name: "a foreign value, to an invalidation", behind: "tombstone.lua", args: []string{tomb, hour, other, "0"}, reply: "1",
		before: map[int]held{2: {kind: "list"}}, after: map[int]held{1: {text: tomb, life: hourLife}},
	})
}

// longest is a revision that lacks one byte.
var longest = strings.Repeat("r", 126)
