package main

func stagedPromises() []promise {
	call := func(digest, gone string) []string { return []string{digest, gone, newLife} }
	living := func(life string) []string { return []string{seenDigest, "1", life} }
	promises := []promise{
		{name: "the entry seen is replaced", entry: entryOf(seenDigest), args: call(seenDigest, "0"), code: 1, writes: true},
		{name: "the entry seen is replaced, absence being as good", entry: entryOf(seenDigest), args: call(seenDigest, "1"), code: 1, writes: true},
		{name: "an entry of 32 bytes is all digest", entry: text(seenDigest), args: call(seenDigest, "0"), code: 1, writes: true},
		{name: "another entry is kept", entry: entryOf(otherDigest), args: call(seenDigest, "0"), code: 0},
		{name: "another entry is kept, absence being as good", entry: entryOf(otherDigest), args: call(seenDigest, "1"), code: 0},
		{name: "the digest counts at the end alone", entry: text(seenDigest + "!"), args: call(seenDigest, "1"), code: 0},
		{name: "an entry too short for a digest is another", entry: text(seenDigest[1:]), args: call(seenDigest, "1"), code: 0},
		{name: "one byte is no absence", entry: text("x"), args: call(seenDigest, "0"), code: 0},
		{name: "an empty string is kept", entry: text(""), args: call(seenDigest, "1"), code: 0},
		{name: "an empty string reads like absence", entry: text(""), args: call(seenDigest, "0"), code: 2},
		{name: "absence is absence", args: call(seenDigest, "0"), code: 2},
		{name: "absence is as good", args: call(seenDigest, "1"), code: 1, writes: true},
		{name: "absence is as good for the word 1 alone", args: call(seenDigest, "yes"), code: 2},
		{name: "no digest, nothing stored", args: call("", "1"), code: 4},
		{name: "a digest of 31 bytes that equals the entry", entry: text(seenDigest[1:]), args: call(seenDigest[1:], "0"), code: 4},
		{name: "a digest of 33 bytes, nothing stored", args: call("!"+seenDigest, "1"), code: 4},
		{name: "no memory is needed", entry: entryOf(seenDigest), args: call(seenDigest, "0"), full: true, code: 1, writes: true},
		{name: "GETRANGE not allowed", entry: entryOf(seenDigest), args: call(seenDigest, "1"), without: "getrange", fails: notAllowed},
		{name: "PEXPIRE not allowed", entry: entryOf(seenDigest), args: call(seenDigest, "1"), without: "pexpire", fails: notAllowed},
		{name: "PEXPIRE not allowed, nothing stored", args: call(seenDigest, "1"), without: "pexpire", fails: notAllowed},
		{name: "RENAME not allowed", entry: entryOf(seenDigest), args: call(seenDigest, "1"), without: "rename", fails: notAllowed},
		{name: "RENAMENX not allowed", args: call(seenDigest, "1"), without: "renamenx", fails: notAllowed},
		{name: "RENAMENX not allowed, the entry seen", entry: entryOf(seenDigest), args: call(seenDigest, "1"), without: "renamenx", code: 1, writes: true},
		{name: "RENAME not allowed, absence as good", args: call(seenDigest, "1"), without: "rename", code: 1, writes: true},
		{name: "UNLINK not allowed", entry: entryOf(otherDigest), args: call(seenDigest, "1"), without: "unlink", code: 0, stays: true},
		{name: "UNLINK not allowed, the entry seen", entry: entryOf(seenDigest), args: call(seenDigest, "1"), without: "unlink", code: 1, writes: true},
		{name: "no life", entry: entryOf(seenDigest), args: living("0"), fails: noSuchKey},
		{name: "no life, nothing stored", args: living("0"), fails: noSuchKey},
		{name: "a life that is no number", entry: entryOf(seenDigest), args: living("soon"), fails: notNumber},
	}
	promises = append(promises, foreignPromises(value{}, call(seenDigest, "1"), 3)...)
	for i := range promises {
		promises[i].staged = text(newValue)
	}
	return append(promises,
		promise{name: "what was staged is lost, the entry seen", entry: entryOf(seenDigest), args: call(seenDigest, "0"), code: 5},
		promise{name: "what was staged is lost, absence as good", args: call(seenDigest, "1"), code: 5},
		promise{name: "what was staged is lost, another entry", entry: entryOf(otherDigest), args: call(seenDigest, "0"), code: 0},
	)
}
