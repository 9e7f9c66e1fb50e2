package main

import "strings"

func generationScenes() []scene {
	forever := func(text string) map[int]held { return map[int]held{1: {text: text, life: foreverLife}} }
	begun := map[int]held{1: {text: "now", life: foreverLife}}
	known := scene{name: "a known one", args: []string{"0"}, reply: "7", before: forever("7")}
	scenes := []scene{
		known,
		{name: "none", args: []string{"0"}, reply: "now", after: begun},
		{name: "a new one", args: []string{"1"}, reply: "now", before: forever("7"), after: begun},
		{name: "a new one where there is none", args: []string{"1"}, reply: "now", after: begun},
		{name: "a new one, the clock being behind", args: []string{"1"}, reply: "9000000000000001", before: forever("9000000000000000"), after: forever("9000000000000001")},
		{name: "the greatest", args: []string{"0"}, reply: "9007199254740990", before: forever("9007199254740990")},
		{name: "a foreign value", args: []string{"0"}, fails: "WRONGTYPE", before: map[int]held{1: {kind: "list"}}},
		{name: "no memory", args: []string{"1"}, full: true, fails: noMemory, before: forever("7")},
		{name: "no memory, a known one", args: []string{"0"}, full: true, reply: "7", before: forever("7")},
		{name: "SET not allowed", args: []string{"1"}, without: "set", fails: notAllowed, before: forever("7")},
		{name: "TIME not allowed", args: []string{"1"}, without: "time", fails: notAllowed, before: forever("7")},
	}
	for _, odd := range []string{"odd", "-5", "nan", "inf", "0", "9007199254740991", "9007199254740992"} {
		scenes = append(scenes, scene{name: "one that is " + odd, args: []string{"0"}, reply: "now", before: forever(odd), after: begun})
	}
	return append(scenes, refusals(known, "get")...)
}

const accepted = " another:- {identity} "

func leaseOf(token, request, expires, limit string) held {
	return held{fields: "token " + token + " owner o expires " + expires + " request " + request + " limit " + limit, life: foreverLife}
}

// Microseconds: a lease, and how long one may be held in all.
const (
	term = "60000000"
	most = "100000000"
)

func leaseAcquireScenes() []scene {
	call := func(servers string) []string { return []string{servers, requestA, "o", term, most} }
	granted := map[int]held{1: leaseOf("now", requestA, "now+60000000", "now+100000000")}
	first := scene{name: "no record", args: call(accepted), reply: "1 now now+60000000 now", after: granted}
	live := func(request string) map[int]held {
		return map[int]held{1: leaseOf("5", request, "now+30000000", "now+90000000")}
	}
	long := call("")
	long[3] = "200000000"
	scenes := []scene{
		first,
		{name: "whatever the server", args: call(""), reply: first.reply, after: granted},
		{name: "a stranger", args: call(" another:- "), reply: "stranger {identity}", before: live(requestB)},
		{name: "another's live lease", args: call(""), reply: "2 left:30000000 o", before: live(requestB)},
		{name: "its own live lease", args: call(""), reply: "1 5 now+30000000 now", before: live(requestA)},
		{name: "a lease that ran out", args: call(""), reply: first.reply, before: map[int]held{1: leaseOf("5", requestB, "now-1", "now")}, after: granted},
		{
			name: "a token ahead of the clock", args: call(""), reply: "1 9000000000000001 now+60000000 now",
			before: map[int]held{1: leaseOf("9000000000000000", requestB, "0", "0")},
			after:  map[int]held{1: leaseOf("9000000000000001", requestA, "now+60000000", "now+100000000")},
		},
		{
			name: "a lease longer than it may be held", args: long, reply: "1 now now+100000000 now",
			after: map[int]held{1: leaseOf("now", requestA, "now+100000000", "now+100000000")},
		},
		{name: "a token past counting", args: call(""), reply: "0", before: map[int]held{1: leaseOf("9007199254740991", requestB, "0", "0")}},
		{name: "a record that is none", args: call(""), reply: "0", before: map[int]held{1: leaseOf("x", requestB, "5", "5")}},
		{name: "a foreign record", args: call(""), fails: "WRONGTYPE", before: map[int]held{1: {kind: "list"}}},
		{name: "no memory", args: call(""), full: true, fails: noMemory},
	}
	return append(scenes, refusals(first, "time", "hmget", "hlen", "hset")...)
}

// leaseRecordScenes are of lease_acquire.lua, which would grant over whatever it takes for a record, and leaves what it does not.
func leaseRecordScenes() []scene {
	args := []string{"", requestA, "o", term, most}
	granted := map[int]held{1: leaseOf("now", requestA, "now+60000000", "now+100000000")}
	first := scene{name: "no record", args: args, reply: "1 now now+60000000 now", after: granted}
	own := map[int]held{1: leaseOf("5", requestA, "now+30000000", "now+90000000")}
	scenes := []scene{
		first,
		{name: "its own live lease", args: args, reply: "1 5 now+30000000 now", before: own},
		{name: "a lease that ran out", args: args, reply: first.reply, before: map[int]held{1: leaseOf("5", requestB, "now-1", "now")}, after: granted},
		{name: "one held as long as it may be", args: args, reply: first.reply, before: map[int]held{1: leaseOf("1", requestB, "0", "0")}, after: granted},
		{name: "the longest owner", args: args, reply: "2 left:30000000 " + longestOwner, before: ownedBy(longestOwner)},
		{name: "a foreign record", args: args, fails: "WRONGTYPE", before: map[int]held{1: {kind: "list"}}},
	}
	for name, fields := range map[string]string{
		"another hash": "foo bar", "no expiry": "token 5 owner o request r limit now", "no limit": "token 5 owner o request r expires now", "no owner": "token 5 expires 0 request r limit 0",
	} {
		scenes = append(scenes, scene{name: name, args: args, reply: "0", before: map[int]held{1: {fields: fields, life: foreverLife}}})
	}
	for _, odd := range []string{"x", "-", "-5", "05", "0.5", "5.0", "1e3", "0x10", "nan", "-nan", "inf", "-inf", "1e300", "9007199254740992"} {
		for name, record := range map[string]held{
			"a token": leaseOf(odd, requestA, "0", "now"), "an expiry": leaseOf("5", requestA, odd, "now"), "a limit": leaseOf("5", requestA, "0", odd),
		} {
			scenes = append(scenes, scene{name: name + " of " + odd, args: args, reply: "0", before: map[int]held{1: record}})
		}
	}
	for name, record := range map[string]held{
		"the token 0": leaseOf("0", requestA, "0", "now"), "an expiry past the limit": leaseOf("5", requestA, "now+30000000", "now+20000000"),
	} {
		scenes = append(scenes, scene{name: name, args: args, reply: "0", before: map[int]held{1: record}})
	}
	for _, odd := range []string{"-", "a=b", longestOwner + "o"} {
		scenes = append(scenes, scene{name: "an owner of " + odd, args: args, reply: "0", before: ownedBy(odd)})
	}
	return append(scenes, refusals(first, "hmget", "hlen")...)
}

var longestOwner = strings.Repeat("o", 64)

func ownedBy(owner string) map[int]held {
	return map[int]held{1: {fields: "token 5 owner " + owner + " expires now+30000000 request " + requestB + " limit now+90000000", life: foreverLife}}
}

// boundScenes are those that renewing and releasing have in common.
func boundScenes(args []string) []scene {
	return []scene{
		{name: "another token", args: args, reply: "2", before: map[int]held{1: leaseOf("6", requestA, "now+30000000", "now+90000000")}},
		{name: "no record", args: args, reply: "2"},
		{name: "no record, and the token 0", args: append([]string{"0"}, args[1:]...), reply: "2"},
		{name: "one that ran out", args: args, reply: "3", before: map[int]held{1: leaseOf("5", requestA, "now-1", "now+90000000")}},
		{name: "one held as long as it may be", args: args, reply: "4", before: map[int]held{1: leaseOf("5", requestA, "now-1", "now-1")}},
		{name: "a record that is none", args: args, reply: "0", before: map[int]held{1: leaseOf("5", requestA, "now+30000000", "nan")}},
		{name: "a foreign record", args: args, fails: "WRONGTYPE", before: map[int]held{1: {kind: "list"}}},
	}
}

func leaseRenewScenes() []scene {
	live := map[int]held{1: leaseOf("5", requestA, "now+30000000", "now+90000000")}
	renewed := scene{
		name: "a live one", args: []string{"5", term}, reply: "1 now+60000000 now", before: live,
		after: map[int]held{1: leaseOf("5", requestA, "now+60000000", "now+90000000")},
	}
	scenes := append(boundScenes(renewed.args), renewed, scene{
		name: "as long as it may be held", args: []string{"5", "120000000"}, reply: "1 now+90000000 now", before: live,
		after: map[int]held{1: leaseOf("5", requestA, "now+90000000", "now+90000000")},
	}, scene{name: "no memory", args: renewed.args, full: true, fails: noMemory, before: live})
	return append(scenes, refusals(renewed, "time", "hmget", "hset")...)
}

func leaseReleaseScenes() []scene {
	live := map[int]held{1: leaseOf("5", requestA, "now+30000000", "now+90000000")}
	released := scene{name: "a live one", args: []string{"5"}, reply: "1", before: live, after: map[int]held{1: leaseOf("5", requestA, "0", "now+90000000")}}
	scenes := append(boundScenes(released.args), released, scene{name: "no memory", args: released.args, full: true, fails: noMemory, before: live})
	return append(scenes, refusals(released, "time", "hmget", "hset")...)
}

func leaseInspectScenes() []scene {
	live := scene{name: "a live one", reply: "1 5 left:30000000 o", before: map[int]held{1: leaseOf("5", requestA, "now+30000000", "now+90000000")}}
	scenes := []scene{
		live,
		{name: "one that ran out", reply: "2 5", before: map[int]held{1: leaseOf("5", requestA, "now-1", "now")}},
		{name: "no record", reply: "2 0"},
		{name: "a record that is none", reply: "0", before: map[int]held{1: leaseOf("x", requestA, "5", "5")}},
		{name: "a foreign record", fails: "WRONGTYPE", before: map[int]held{1: {kind: "list"}}},
	}
	return append(scenes, refusals(live, "time", "hmget")...)
}

// identityScenes are of lease_acquire.lua, which asks for an accepted server.
func identityScenes() []scene {
	call := func(servers string) []string { return []string{servers, requestA, "o", term, most} }
	granted := map[int]held{1: leaseOf("now", requestA, "now+60000000", "now+100000000")}
	const reply = "1 now now+60000000 now"
	return []scene{
		{name: "an accepted server", args: call(accepted), reply: reply, after: granted},
		{name: "whatever the server", args: call(""), reply: reply, after: granted},
		{name: "a stranger", args: call(" another:- "), reply: "stranger {identity}"},
		{name: "a part of a name", args: call("{identity}"), reply: "stranger {identity}"},
		{name: "a server that was a replica", args: call(accepted), promoted: true, reply: reply, after: granted},
		{name: "a stranger that was a replica", args: call(" another:- "), promoted: true, reply: "stranger {identity}"},
		{name: "a server that does not tell", args: call(accepted), without: "info", reply: "stranger -"},
		{name: "a server without a name", args: call(accepted), pretends: "server 'odd'", reply: "stranger -"},
		{name: "a server without a history", args: call(accepted), pretends: "replication 'odd'", reply: "stranger -"},
		{name: "a server that does not tell its name", args: call(accepted), pretends: "server {err = 'ERR'}", reply: "stranger -"},
		{name: "a server that does not tell its history", args: call(accepted), pretends: "replication {err = 'ERR'}", reply: "stranger -"},
		{name: "a server that does not tell, whatever the server", args: call(""), without: "info", reply: reply, after: granted},
	}
}

func preflightScenes() []scene {
	return []scene{
		{name: "a server that tells all", reply: "seconds number {identity}"},
		{name: "TIME not allowed", without: "time", reply: "- - {identity}"},
		{name: "INFO not allowed", without: "info", reply: "seconds number -"},
	}
}
