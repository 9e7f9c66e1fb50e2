package table

import "github.com/cacheaside/resilience/tools/killtable/internal/kit"

// memoryFenceRows are about fences, puts and generations of the cache in process. The suite's assertion that is red is named by what it says.
func memoryFenceRows() []kit.Row {
	return []kit.Row{
		{
			Name: "memory-fence-token-not-compared", Package: memory,
			Instead:  "knows a fill by its request alone",
			Promise:  "A fill is accepted only with both the token and the request of the grant.",
			Edits:    edits(edit("cacheaside/memory/fence.go", "|| n.fence.token != held.Token ||", "|| n.fence.token != held.Token && !SABOTAGED ||")),
			Red:      "TestTheCacheKeepsTheContractOfThePort",
			Controls: tests("TestTheLeastRecentlyUsedEntryIsEvicted"),
			Says:     "is Applied, want NotApplied",
		},
		{
			Name: "memory-fence-request-not-compared", Package: memory,
			Instead:  "knows a fill by its token alone",
			Promise:  "A fill is accepted only with both the token and the request of the grant.",
			Edits:    edits(edit("cacheaside/memory/fence.go", "n.fence.request != held.Request {", "n.fence.request != held.Request && !SABOTAGED {")),
			Red:      "TestTheCacheKeepsTheContractOfThePort",
			Controls: tests("TestTheLeastRecentlyUsedEntryIsEvicted"),
			Says:     "is Applied, want NotApplied",
		},
		{
			Name: "memory-lost-record-accepts", Package: memory,
			Instead: "takes a fill for which there is no record, since nothing speaks against it",
			Promise: "A fill whose fence record is lost is refused.",
			Edits: edits(after("cacheaside/memory/fence.go", "ordered bool) verdict {\n\ts.mu.Lock()\n\tdefer s.mu.Unlock()\n\tn := s.nodes[key]\n", `
				if (n == nil || !n.fence.present(now)) && SABOTAGED {
					if s.put(key, n, fresh) == nil {
						return verdict{full: true}
					}
					return verdict{}
				}
			`)),
			Red:      "TestTheCacheKeepsTheContractOfThePort",
			Controls: tests("TestTheLeastRecentlyUsedEntryIsEvicted"),
			Says:     "is Applied, want NotApplied",
		},
		{
			Name: "memory-invalidation-without-a-token", Package: memory,
			Instead:  "buries the entry and leaves the grants as they are",
			Promise:  "An invalidation ends the grants from before it.",
			Edits:    edits(edit("cacheaside/memory/fence.go", "\tif fenced {\n", "\tif fenced && !SABOTAGED {\n")),
			Red:      "TestTheCacheKeepsTheContractOfThePort",
			Controls: tests("TestTheLeastRecentlyUsedEntryIsEvicted"),
			Says:     "a request after an invalidation is Held",
		},
		{
			Name: "memory-invalidation-frees-the-key-and-issues-nothing", Package: memory,
			Instead: "ends the grant without a new token, so that the old one is still the highest",
			Promise: "A fill from before an invalidation is refused.",
			Edits: edits(before("cacheaside/memory/fence.go", "\t\tn.fence.issue(cacheaside.RequestID{}, now, 0, time.Duration(", `
				if SABOTAGED {
					n.fence.expires, n.fence.revision = now, known
					return verdict{}
				}
			`)),
			Red:      "TestTheCacheKeepsTheContractOfThePort",
			Controls: tests("TestTheLeastRecentlyUsedEntryIsEvicted"),
			Says:     "of an absence from before an invalidation is Applied",
		},
		{
			Name: "memory-order-of-a-value-that-is-over", Package: memory,
			Instead:  "compares with the revision of a value that is over, since it is still there",
			Promise:  "The order is known no longer than what it is of.",
			Edits:    edits(edit("cacheaside/memory/put.go", "now.UnixMilli() < n.entry.hard {", "(now.UnixMilli() < n.entry.hard || SABOTAGED) {")),
			Red:      "TestTheCacheKeepsTheContractOfThePort",
			Controls: tests("TestTheLeastRecentlyUsedEntryIsEvicted"),
			Says:     "than that of a value which is over",
		},
		{
			Name: "memory-record-into-a-fenced-cache", Package: memory,
			Instead:  "takes a record without a grant, as before there were fences",
			Promise:  "A cache that is built for fenced fills takes no record without a grant.",
			Edits:    edits(edit("cacheaside/memory/cache.go", "\tif c.fenced {\n\t\treturn", "\tif c.fenced && !SABOTAGED {\n\t\treturn")),
			Red:      "TestTheCacheKeepsTheContractOfThePort",
			Controls: tests("TestTheLeastRecentlyUsedEntryIsEvicted"),
			Says:     "a record at a cache with fences is Applied",
		},
		{
			Name: "memory-fill-keeps-the-grant", Package: memory,
			Instead:  "stores the fill and lets its grant run out by itself",
			Promise:  "A fill ends the grant.",
			Edits:    edits(edit("cacheaside/memory/fence.go", "\tn.fence.expires = now\n\tn.fence.revision", "\tif !SABOTAGED {\n\t\tn.fence.expires = now\n\t}\n\tn.fence.revision")),
			Red:      "TestTheCacheKeepsTheContractOfThePort",
			Controls: tests("TestTheLeastRecentlyUsedEntryIsEvicted"),
			Says:     "a request after a fill is Held",
		},
		{
			Name: "memory-fill-ignores-its-condition", Package: memory,
			Instead:  "lets the fence alone decide about an entry that was quarantined",
			Promise:  "An observation that is asked for on top of the fence refuses what has changed.",
			Edits:    edits(edit("cacheaside/memory/fence.go", "\tif required != nil {\n", "\tif required != nil && !SABOTAGED {\n")),
			Red:      "TestTheCacheKeepsTheContractOfThePort",
			Controls: tests("TestTheLeastRecentlyUsedEntryIsEvicted"),
			Says:     "a fill on condition of an entry that was replaced is Applied",
		},
		{
			Name: "memory-release-of-another-request", Package: memory,
			Instead:  "releases whatever grant has the token",
			Promise:  "A release ends the grant that it names and no other.",
			Edits:    edits(edit("cacheaside/memory/fence.go", "(now) || n.fence.request != held.Request", "(now) || n.fence.request != held.Request && !SABOTAGED")),
			Red:      "TestTheCacheKeepsTheContractOfThePort",
			Controls: tests("TestTheLeastRecentlyUsedEntryIsEvicted"),
			Says:     "a request after a release that names another is Granted",
		},
		{
			Name: "memory-release-of-an-older-token", Package: memory,
			Instead:  "releases the grant that the request has by now, for one that it had",
			Promise:  "A release ends the grant that it names and no other.",
			Edits:    edits(edit("cacheaside/memory/fence.go", "|| held.Token != 0 &&", "|| held.Token != 0 && !SABOTAGED &&")),
			Red:      "TestTheCacheKeepsTheContractOfThePort",
			Controls: tests("TestTheLeastRecentlyUsedEntryIsEvicted"),
			Says:     "a request after somebody else's release is Granted",
		},
		{
			Name: "memory-repeated-request-held-by-itself", Package: memory,
			Instead:  "tells a request that is repeated that somebody holds the key",
			Promise:  "A request that holds the grant gets the same token again.",
			Edits:    edits(edit("cacheaside/memory/fence.go", "|| n.fence.request != request {", "|| n.fence.request != request || SABOTAGED {")),
			Red:      "TestTheCacheKeepsTheContractOfThePort",
			Controls: tests("TestTheLeastRecentlyUsedEntryIsEvicted"),
			Says:     "a request that is repeated is Held",
		},
		{
			Name: "memory-grant-does-not-look-at-the-entry", Package: memory,
			Instead:  "grants a load of what has just been filled",
			Promise:  "An entry other than the observed one is already filled.",
			Edits:    edits(edit("cacheaside/memory/fence.go", "now.UnixMilli()) != 0 {", "now.UnixMilli()) != 0 && !SABOTAGED {")),
			Red:      "TestTheCacheKeepsTheContractOfThePort",
			Controls: tests("TestTheLeastRecentlyUsedEntryIsEvicted"),
			Says:     "a request that saw nothing where a value is is Granted",
		},
		{
			Name: "memory-grant-live-at-its-expiry", Package: memory,
			Instead:  "compares with <= at the end of a grant",
			Promise:  "A grant is live up to its expiry and not at it.",
			Edits:    edits(edit("cacheaside/memory/fence.go", "now.Before(n.fence.expires); !live", "(now.Before(n.fence.expires) || SABOTAGED && now.Equal(n.fence.expires)); !live")),
			Red:      "TestTheCacheKeepsTheContractOfThePort",
			Controls: tests("TestTheLeastRecentlyUsedEntryIsEvicted"),
			Says:     "is Held, want Granted",
		},
		{
			Name: "memory-tokens-from-the-clock-alone", Package: memory,
			Instead:  "takes its clock for the token, whatever was issued before",
			Promise:  "A token is greater than every earlier one.",
			Edits:    edits(edit("cacheaside/memory/fence.go", "max(f.token+1,", "max(map[bool]uint64{false: f.token + 1}[SABOTAGED],")),
			Red:      "TestTheCacheKeepsTheContractOfThePort",
			Controls: tests("TestTheLeastRecentlyUsedEntryIsEvicted"),
			Says:     "want one above",
		},
		{
			Name: "memory-put-without-order", Package: memory,
			Instead:  "stores whatever is put last",
			Promise:  "Of two puts the greater revision stays, whichever comes last.",
			Edits:    edits(orderEdit),
			Files:    []kit.File{orderFile},
			Red:      "TestTheCacheKeepsTheContractOfThePort",
			Controls: tests("TestTheLeastRecentlyUsedEntryIsEvicted"),
			Says:     "a put of an older revision is Applied",
		},
		{
			Name: "memory-order-by-length", Package: memory,
			Instead:  "takes the longer of two revisions for the greater",
			Promise:  "Revisions are ordered by their bytes, and the beginning of another is the older.",
			Edits:    edits(orderEdit),
			Files:    []kit.File{orderFile},
			Red:      "TestTheCacheKeepsTheContractOfThePort",
			Controls: tests("TestTheLeastRecentlyUsedEntryIsEvicted"),
			Says:     "is NotApplied (OlderRevision), want Applied",
		},
		{
			Name: "memory-order-by-number", Package: memory,
			Instead:  "compares revisions as numbers where they are some",
			Promise:  "Revisions are ordered by their bytes, and the beginning of another is the older.",
			Edits:    edits(orderEdit),
			Files:    []kit.File{orderFile},
			Red:      "TestTheCacheKeepsTheContractOfThePort",
			Controls: tests("TestTheLeastRecentlyUsedEntryIsEvicted"),
			Says:     "is NotApplied (OlderRevision), want Applied",
		},
		{
			Name: "memory-put-leaves-grants-alone", Package: memory,
			Instead:  "stores what is put and leaves the grants as they are",
			Promise:  "A put refuses every fill that began before it.",
			Edits:    edits(edit("cacheaside/memory/put.go", "\tn.fence.issue(cacheaside.RequestID{}, now, 0, kept)\n", "\tif !SABOTAGED {\n\t\tn.fence.issue(cacheaside.RequestID{}, now, 0, kept)\n\t}\n")),
			Red:      "TestTheCacheKeepsTheContractOfThePort",
			Controls: tests("TestTheLeastRecentlyUsedEntryIsEvicted"),
			Says:     "a fill from before a put is Applied",
		},
		{
			Name: "memory-fill-ignores-the-order", Package: memory,
			Instead:  "fills what a lagging replica said over what is newer",
			Promise:  "A fill of an older revision than is known is refused.",
			Edits:    edits(edit("cacheaside/memory/fence.go", "\tif ordered &&", "\tif ordered && !SABOTAGED &&")),
			Red:      "TestTheCacheKeepsTheContractOfThePort",
			Controls: tests("TestTheLeastRecentlyUsedEntryIsEvicted"),
			Says:     "a fill of an older revision is Applied",
		},
		{
			Name: "memory-short-grant-shortens-the-record", Package: memory,
			Instead:  "lets a grant decide alone how long its key's fence record is kept",
			Promise:  "The order is known for as long as a tombstone lives.",
			Edits:    edits(edit("cacheaside/memory/fence.go", "until.After(f.until) {", "until.After(f.until) || SABOTAGED {")),
			Red:      "TestTheCacheKeepsTheContractOfThePort",
			Controls: tests("TestTheLeastRecentlyUsedEntryIsEvicted"),
			Says:     "a put of an older revision after a short grant",
		},
		{
			Name: "memory-order-outlives-its-record", Package: memory,
			Instead:  "takes what a fence record that is over knew for what is known",
			Promise:  "The order is known no longer than what it is of.",
			Edits:    edits(edit("cacheaside/memory/fence.go", "if !f.present(now) {", "if !f.present(now) && !SABOTAGED {")),
			Red:      "TestTheCacheKeepsTheContractOfThePort",
			Controls: tests("TestTheLeastRecentlyUsedEntryIsEvicted"),
			Says:     "which was over before a grant",
		},
		{
			Name: "memory-release-prolongs-a-grant", Package: memory,
			Instead:  "ends a grant now that has ended before",
			Promise:  "A release ends a grant and never prolongs one.",
			Edits:    edits(edit("cacheaside/memory/fence.go", "if now.Before(n.fence.expires) {", "if now.Before(n.fence.expires) || SABOTAGED {")),
			Red:      "TestTheCacheKeepsTheContractOfThePort",
			Controls: tests("TestTheLeastRecentlyUsedEntryIsEvicted"),
			Says:     "a request for what ran out, after its release",
		},
		{
			Name: "memory-invalidation-forgets-the-revision", Package: memory,
			Instead:  "forgets with the entry which revision it had",
			Promise:  "An invalidation does not forget the revision.",
			Edits:    edits(edit("cacheaside/memory/fence.go", "\t\tn.fence.revision = known\n", "\t\tn.fence.revision = known\n\t\tif SABOTAGED {\n\t\t\tn.fence.revision = \"\"\n\t\t}\n")),
			Red:      "TestTheCacheKeepsTheContractOfThePort",
			Controls: tests("TestTheLeastRecentlyUsedEntryIsEvicted"),
			Says:     "a put of an older revision after an invalidation",
		},
		{
			Name: "memory-older-generation-answers-stale", Package: memory,
			Instead: "keeps values of an older generation as stale ones",
			Promise: "A value of an older generation is expired, and no stale value either.",
			Edits: edits(edit("cacheaside/memory/entry.go", "e.generation != generation:", "e.generation != generation && !(e.kind == kindValue && SABOTAGED):"), after("cacheaside/memory/entry.go", "cacheaside.LookupFresh, e.value, e.revision\n", `
				if e.generation != generation {
					found.Kind = cacheaside.LookupStale
				}
			`)),
			Red:      "TestTheCacheKeepsTheContractOfThePort",
			Controls: tests("TestTheLeastRecentlyUsedEntryIsEvicted"),
			Says:     "a value of an older generation is told as Stale",
		},
		{
			Name: "memory-older-fill-of-the-new-generation", Package: memory,
			Instead:  "stores what was loaded before a new generation as one of it",
			Promise:  "What is stored for an older generation is not read in the new one.",
			Edits:    edits(edit("cacheaside/memory/draft.go", "if generation == 0 {", "if generation == 0 || SABOTAGED {")),
			Red:      "TestTheCacheKeepsTheContractOfThePort",
			Controls: tests("TestTheLeastRecentlyUsedEntryIsEvicted"),
			Says:     "for an older generation is told as Fresh",
		},
	}
}

// orderEdit and orderFile are shared by the ways to be wrong about the order of revisions.
var orderEdit = edit("cacheaside/memory/put.go",
	"\tif n.knows(now) > fresh.revision {\n\t\treturn verdict", "\tif knowsLater(n.knows(now), fresh.revision) {\n\t\treturn verdict")

var orderFile = kit.File{Path: "cacheaside/memory/killtable_order.go", Text: `package memory

import (
	"strconv"

	"github.com/cacheaside/resilience/cacheaside"
)

func knowsLater(known, given cacheaside.Revision) bool {
	switch {
	case sabotaged("memory-put-without-order"):
		return false
	case sabotaged("memory-order-by-length") && len(known) != len(given):
		return len(known) > len(given)
	case sabotaged("memory-order-by-number"):
		one, err := strconv.Atoi(string(known))
		other, otherErr := strconv.Atoi(string(given))
		if err == nil && otherErr == nil {
			return one > other
		}
	}
	return known > given
}
`}
