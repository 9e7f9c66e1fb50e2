package main

func tombstonePromises() []promise {
	call := []string{newValue, newLife}
	eternal := entryOf(seenDigest)
	eternal.forever = true
	return append(foreignPromises(value{}, call, 3),
		promise{name: "an entry is replaced", entry: entryOf(seenDigest), args: call, code: 1, writes: true},
		promise{name: "an entry without a life is replaced by one that has one", entry: eternal, args: call, code: 1, writes: true},
		promise{name: "nothing is replaced", args: call, code: 1, writes: true},
		promise{name: "an empty string is replaced", entry: text(""), args: call, code: 1, writes: true},
		promise{name: "no memory", entry: entryOf(seenDigest), args: call, full: true, fails: noMemory},
		promise{name: "GETRANGE not allowed", entry: entryOf(seenDigest), args: call, without: "getrange", fails: notAllowed},
		promise{name: "SET not allowed", entry: entryOf(seenDigest), args: call, without: "set", fails: notAllowed},
		promise{name: "no life", entry: entryOf(seenDigest), args: []string{newValue, "0"}, fails: noLife},
		promise{name: "a life that is no number", args: []string{newValue, "soon"}, fails: notNumber},
	)
}
