package main

import (
	"strings"
	"time"
)

// What the scenes of fenced fills are about. Revisions are held in the header of an entry, behind 32 bytes, with their length in front.
const (
	requestA = "request-a"
	requestB = "request-b"
	minute   = "60000"
	hour     = "3600000"
	hourLife = time.Hour
	tomb     = "CA tombstone"
)

// revised is an entry of the present format with a revision.
func revised(revision string) string {
	return "CA\x02\x01" + strings.Repeat("h", 28) + string(rune(len(revision))) + revision + "payload " + seenDigest
}

func fenceOf(token, request, expires string) held {
	return held{fields: "token " + token + " request " + request + " owner o expires " + expires}
}

func with(h held, fields string) held {
	h.fields += " " + fields
	return h
}

func living(h held, life time.Duration) held {
	h.life = life
	return h
}

func seen(digest string) held { return held{text: "CA old value " + digest} }

// refusals are the scenes of a script that may not run one of its commands and then changes nothing.
func refusals(proto scene, commands ...string) (scenes []scene) {
	for _, command := range commands {
		s := proto
		s.name, s.without, s.fails, s.reply, s.after = command+" not allowed", command, notAllowed, "", nil
		scenes = append(scenes, s)
	}
	return scenes
}

func tombstoneScenes() []scene {
	const other = "CA other tombstone"
	call := func(fenced string) []string { return []string{tomb, hour, other, fenced} }
	buried, otherBuried := held{text: tomb, life: hourLife}, held{text: other, life: hourLife}
	issued := func(token, revision string) held {
		return held{fields: "token " + token + " request - owner - expires 0 revision " + revision, life: hourLife}
	}
	all := scene{
		name: "an entry, its grant and the other mode's entry", args: call("1"), reply: "1",
		before: map[int]held{1: {text: revised("r7")}, 2: seen(seenDigest), 3: fenceOf("5", requestA, "now+60000000")},
		after:  map[int]held{1: buried, 2: otherBuried, 3: issued("now", "r7")},
	}
	scenes := []scene{
		all,
		{name: "nothing at all, with fences", args: call("1"), reply: "1", after: map[int]held{1: buried, 2: otherBuried, 3: issued("now", "-")}},
		{name: "nothing at all, without fences", args: call("0"), reply: "1", after: map[int]held{1: buried}},
		{
			name: "without fences, a fenced entry without a record", args: call("0"), reply: "1", before: map[int]held{2: seen(seenDigest)},
			after: map[int]held{1: buried, 2: otherBuried},
		},
		{
			name: "without fences, the revision of the fenced entry", args: call("0"), reply: "1",
			before: map[int]held{1: {text: revised("x9")}, 2: {text: revised("r7")}},
			after:  map[int]held{1: buried, 2: otherBuried, 3: issued("now", "r7")},
		},
		{
			name: "without fences, a record", args: call("0"), reply: "1", before: map[int]held{3: fenceOf("5", requestA, "now+60000000")},
			after: map[int]held{1: buried, 3: issued("now", "-")},
		},
		{
			name: "a token ahead of the clock", args: call("1"), reply: "1", before: map[int]held{3: with(fenceOf("9000000000000000", requestA, "0"), "revision r8")},
			after: map[int]held{1: buried, 2: otherBuried, 3: issued("9000000000000001", "r8")},
		},
		{name: "a foreign value", args: call("1"), reply: "3", before: map[int]held{1: {kind: "list"}, 3: fenceOf("5", requestA, "0")}},
		{
			name: "a foreign record", args: call("1"), reply: "1", before: map[int]held{1: seen(seenDigest), 3: {kind: "list"}},
			after: map[int]held{1: buried, 2: otherBuried},
		},
		{
			name: "a foreign value of the other mode", args: call("1"), reply: "1", before: map[int]held{2: {kind: "list"}},
			after: map[int]held{1: buried, 3: issued("now", "-")},
		},
		{
			name: "a life that cannot be set", args: call("1"), reply: "1", without: "pexpire", before: all.before,
			after: map[int]held{1: buried, 2: otherBuried, 3: {kind: "gone"}},
		},
		{
			name: "a life that cannot be set, and no leave to unlink", args: call("1"), reply: "1", without: "pexpire unlink", before: all.before,
			after: map[int]held{1: buried, 2: otherBuried, 3: living(issued("now", "r7"), entryLife)},
		},
		{name: "no memory", args: call("1"), full: true, fails: noMemory, before: map[int]held{1: seen(seenDigest), 3: fenceOf("5", requestA, "0")}},
		{name: "no memory and no record", args: call("0"), full: true, fails: noMemory, before: map[int]held{1: seen(seenDigest)}},
		{
			name: "SET not allowed", args: call("1"), without: "set", fails: notAllowed, before: all.before,
			after: map[int]held{3: issued("now", "r7")},
		},
		{
			name: "SET of the other mode's entry not allowed", args: call("1"), without: setOf1, fails: "can't ", before: all.before,
			after: map[int]held{3: issued("now", "r7")},
		},
		{
			name: "without fences, a foreign value of the other mode", args: call("0"), reply: "1", before: map[int]held{2: {kind: "list"}},
			after: map[int]held{1: buried},
		},
		{name: "SET not allowed, without fences", args: call("0"), without: "set", fails: notAllowed, before: map[int]held{1: seen(seenDigest)}},
	}
	return append(scenes, refusals(all, "getrange", "hmget", "hset", "time")...)
}

func buryScenes() []scene {
	call := func(always string) []string { return []string{tomb, hour, always} }
	buried := held{text: tomb, life: hourLife}
	entry := scene{name: "an entry", args: call("0"), reply: "1", before: map[int]held{1: seen(seenDigest)}, after: map[int]held{1: buried}}
	scenes := []scene{
		entry,
		{name: "an entry, in any case", args: call("1"), reply: "1", before: entry.before, after: entry.after},
		{name: "nothing", args: call("0"), reply: "1"},
		{name: "nothing, in any case", args: call("1"), reply: "1", after: entry.after},
		{name: "a foreign value", args: call("1"), reply: "3", before: map[int]held{1: {kind: "list"}}},
		{name: "no memory", args: call("1"), full: true, fails: noMemory, before: entry.before},
	}
	return append(scenes, refusals(entry, "getrange", "set")...)
}

func supersedeScenes() []scene {
	issued := func(token string) held {
		return held{fields: "token " + token + " request - owner - expires 0", life: hourLife}
	}
	live := map[int]held{1: fenceOf("5", requestA, "now+60000000")}
	grant := scene{name: "a grant", args: []string{hour, "0"}, reply: "1", before: live, after: map[int]held{1: issued("now")}}
	scenes := []scene{
		grant,
		{name: "a grant, in any case", args: []string{hour, "1"}, reply: "1", before: live, after: grant.after},
		{name: "no record", args: []string{hour, "0"}, reply: "1"},
		{name: "no record, in any case", args: []string{hour, "1"}, reply: "1", after: grant.after},
		{
			name: "a token ahead of the clock", args: []string{hour, "0"}, reply: "1", before: map[int]held{1: fenceOf("9000000000000000", requestA, "0")},
			after: map[int]held{1: issued("9000000000000001")},
		},
		{name: "a foreign record", args: []string{hour, "1"}, reply: "1", before: map[int]held{1: {kind: "list"}}},
		{name: "no memory", args: []string{hour, "1"}, full: true, fails: noMemory, before: live},
		{name: "a life that cannot be set", args: []string{hour, "1"}, reply: "1", without: "pexpire", before: live, after: map[int]held{1: {kind: "gone"}}},
		{
			name: "a life that cannot be set, and no leave to unlink", args: []string{hour, "1"}, reply: "1", without: "pexpire unlink", before: live,
			after: map[int]held{1: living(issued("now"), entryLife)},
		},
	}
	return append(scenes, refusals(grant, "hmget", "hset", "time")...)
}

func acquireScenes() []scene {
	call := func(digest, gone string) []string { return []string{requestA, "o", minute, "240000", digest, gone} }
	const recordLife = 240 * time.Second
	granted := living(fenceOf("now", requestA, "now+60000000"), recordLife)
	live := fenceOf("5", requestB, "now+30000000")
	first := scene{name: "nothing at all", args: call("", "0"), reply: "1 now", after: map[int]held{2: granted}}
	over := with(fenceOf("5", requestB, "now-1"), "revision r7")
	scenes := []scene{
		first,
		{name: "the entry seen", args: call(seenDigest, "0"), reply: "1 now", before: map[int]held{1: seen(seenDigest)}, after: first.after},
		{name: "the entry seen, absence being as good", args: call(seenDigest, "1"), reply: "1 now", before: map[int]held{1: seen(seenDigest)}, after: first.after},
		{name: "another entry", args: call(seenDigest, "1"), reply: "3", before: map[int]held{1: seen(otherDigest), 2: live}},
		{name: "an entry where nothing was seen", args: call("", "0"), reply: "3", before: map[int]held{1: seen(seenDigest)}},
		{name: "an entry that is gone", args: call(seenDigest, "0"), reply: "3"},
		{name: "an entry that is gone, absence being as good", args: call(seenDigest, "1"), reply: "1 now", after: first.after},
		{name: "a foreign value", args: call("", "0"), reply: "3", before: map[int]held{1: {kind: "list"}}},
		{name: "another's live grant", args: call("", "0"), reply: "2 left:30000", before: map[int]held{2: live}},
		{name: "its own live grant", args: call("", "0"), reply: "1 5", before: map[int]held{2: fenceOf("5", requestA, "now+30000000")}},
		{
			name: "a grant that ran out", args: call("", "0"), reply: "1 now", before: map[int]held{2: living(over, time.Second)},
			after: map[int]held{2: with(granted, "revision r7")},
		},
		{
			name: "a record with longer to live", args: call("", "0"), reply: "1 now", before: map[int]held{2: over},
			after: map[int]held{2: living(with(granted, "revision r7"), entryLife)},
		},
		{
			name: "a record with longer to live, which cannot be told", args: call("", "0"), reply: "1 now", without: "pttl", before: map[int]held{2: over},
			after: map[int]held{2: with(granted, "revision r7")},
		},
		{
			name: "a token ahead of the clock", args: call("", "0"), reply: "1 9000000000000001",
			before: map[int]held{2: living(fenceOf("9000000000000000", requestB, "0"), time.Second)},
			after:  map[int]held{2: living(fenceOf("9000000000000001", requestA, "now+60000000"), recordLife)},
		},
		{name: "no memory", args: call("", "0"), full: true, fails: noMemory},
		{name: "a foreign record", args: call("", "0"), fails: "WRONGTYPE", before: map[int]held{2: {kind: "list"}}},
		{name: "a life that cannot be set", args: call("", "0"), without: "pexpire", fails: notAllowed, after: map[int]held{2: {kind: "gone"}}},
		{
			name: "a life that cannot be set, and no leave to unlink", args: call("", "0"), without: "pexpire unlink", fails: notAllowed,
			after: map[int]held{2: living(granted, foreverLife)},
		},
	}
	return append(scenes, refusals(first, "getrange", "hmget", "hset", "time")...)
}

func releaseScenes() []scene {
	ended := map[int]held{1: fenceOf("5", requestA, "0")}
	live := map[int]held{1: fenceOf("5", requestA, "now+30000000")}
	own := scene{name: "its own grant", args: []string{"5", requestA}, reply: "1", before: live, after: ended}
	scenes := []scene{
		own,
		{name: "its own, whatever the token", args: []string{"0", requestA}, reply: "1", before: live, after: ended},
		{name: "another token", args: []string{"6", requestA}, reply: "6", before: live},
		{name: "another request", args: []string{"5", requestB}, reply: "6", before: live},
		{name: "another request, whatever the token", args: []string{"0", requestB}, reply: "6", before: live},
		{name: "no record", args: []string{"5", requestA}, reply: "6"},
		{name: "a foreign record", args: []string{"5", requestA}, fails: "WRONGTYPE", before: map[int]held{1: {kind: "list"}}},
	}
	return append(scenes, refusals(own, "hmget", "hset")...)
}
