package main

func replacePromises() []promise {
	call := func(digest, gone string) []string { return []string{digest, gone, newValue, newLife} }
	living := func(life string) []string { return []string{seenDigest, "1", newValue, life} }
	eternal := entryOf(seenDigest)
	eternal.forever = true
	return append(foreignPromises(value{}, call(seenDigest, "1"), 3),
		promise{name: "the entry seen is replaced", entry: entryOf(seenDigest), args: call(seenDigest, "0"), code: 1, writes: true},
		promise{name: "the entry seen is replaced, absence being as good", entry: entryOf(seenDigest), args: call(seenDigest, "1"), code: 1, writes: true},
		promise{name: "an entry of 32 bytes is all digest", entry: text(seenDigest), args: call(seenDigest, "0"), code: 1, writes: true},
		promise{name: "an entry without a life gets one", entry: eternal, args: call(seenDigest, "0"), code: 1, writes: true},
		promise{name: "another entry is kept", entry: entryOf(otherDigest), args: call(seenDigest, "0"), code: 0},
		promise{name: "another entry is kept, absence being as good", entry: entryOf(otherDigest), args: call(seenDigest, "1"), code: 0},
		promise{name: "the digest counts at the end alone", entry: text(seenDigest + "!"), args: call(seenDigest, "1"), code: 0},
		promise{name: "a digest and more in front", entry: text(seenDigest + otherDigest), args: call(seenDigest, "1"), code: 0},
		promise{name: "an entry too short for a digest is another", entry: text(seenDigest[1:]), args: call(seenDigest, "1"), code: 0},
		promise{name: "one byte is another", entry: text("x"), args: call(seenDigest, "1"), code: 0},
		promise{name: "one byte is no absence", entry: text("x"), args: call(seenDigest, "0"), code: 0},
		promise{name: "an empty string is kept", entry: text(""), args: call(seenDigest, "1"), code: 0},
		promise{name: "an empty string reads like absence", entry: text(""), args: call(seenDigest, "0"), code: 2},
		promise{name: "absence is absence", args: call(seenDigest, "0"), code: 2},
		promise{name: "absence is as good", args: call(seenDigest, "1"), code: 1, writes: true},
		promise{name: "absence is as good for the word 1 alone", args: call(seenDigest, "yes"), code: 2},
		promise{name: "no digest, nothing stored", args: call("", "1"), code: 4},
		promise{name: "no digest, an empty string stored", entry: text(""), args: call("", "0"), code: 4},
		promise{name: "a digest of 31 bytes that equals the entry", entry: text(seenDigest[1:]), args: call(seenDigest[1:], "0"), code: 4},
		promise{name: "a digest of 33 bytes", entry: text("!" + seenDigest), args: call("!"+seenDigest, "1"), code: 4},
		promise{name: "a digest of 33 bytes, nothing stored", args: call("!"+seenDigest, "1"), code: 4},
		promise{name: "no memory, the entry seen", entry: entryOf(seenDigest), args: call(seenDigest, "0"), full: true, fails: noMemory},
		promise{name: "no memory, absence as good", args: call(seenDigest, "1"), full: true, fails: noMemory},
		promise{name: "no memory, another entry", entry: entryOf(otherDigest), args: call(seenDigest, "1"), full: true, code: 0},
		promise{name: "GETRANGE not allowed", entry: entryOf(seenDigest), args: call(seenDigest, "1"), without: "getrange", fails: notAllowed},
		promise{name: "SET not allowed, the entry seen", entry: entryOf(seenDigest), args: call(seenDigest, "0"), without: "set", fails: notAllowed},
		promise{name: "SET not allowed, absence as good", args: call(seenDigest, "1"), without: "set", fails: notAllowed},
		promise{name: "no life", entry: entryOf(seenDigest), args: living("0"), fails: noLife},
		promise{name: "no life, nothing stored", args: living("0"), fails: noLife},
		promise{name: "a life that is no number", entry: entryOf(seenDigest), args: living("soon"), fails: notNumber},
	)
}

// foreignPromises are those about the values of other applications.
func foreignPromises(staged value, args []string, code int64) []promise {
	kinds := []string{"list", "hash", "set", "zset", "stream"}
	promises := make([]promise, 0, len(kinds))
	for _, kind := range kinds {
		promises = append(promises, promise{name: "a " + kind + " is foreign", entry: foreign(kind), staged: staged, args: args, code: code})
	}
	return promises
}
