package table

import (
	"fmt"
	"strings"

	"github.com/cacheaside/resilience/tools/killtable/internal/kit"
)

// scripted is a sabotage of one of the scripts that the server runs. Their text is embedded, so that it is rewritten where it is made a script.
type scripted struct {
	row      kit.Row
	script   string // how it begins, behind what is put in front of it
	old, new string // old must be in it once
}

// scriptRows are about what the server compares before it writes.
func scriptRows() []kit.Row {
	var rows []kit.Row
	var rewrites strings.Builder
	list := append(scriptedRows(), scriptedFenceRows()...)
	for _, s := range list {
		fmt.Fprintf(&rewrites, "\tif sabotaged(%q) {\n\t\tsource = rewritten(source, %q, %q, %q)\n\t}\n", s.row.Name, s.script, s.old, s.new)
	}
	rewriting := kit.File{Path: "redisadapter/killtable_script.go", Text: strings.Replace(rewritingText, "REWRITES", rewrites.String(), 1)}
	for _, s := range list {
		if s.row.Package == "" {
			s.row.Package = adapter
		}
		s.row.Edits = edits(edit("redisadapter/script.go",
			"func newScript(source string) script {\n",
			"func newScript(source string) script {\n\tsource = rewrittenByAll(source)\n"))
		s.row.Files = []kit.File{rewriting}
		rows = append(rows, s.row)
	}
	return rows
}

const rewritingText = `package redisadapter

import "strings"

func rewrittenByAll(source string) string {
REWRITES	return source
}

func rewritten(source, script, old, new string) string {
	if !strings.Contains(source, script) {
		return source
	}
	if strings.Count(source, old) != 1 {
		panic("a pattern must be once in " + script + ": " + old)
	}
	return strings.Replace(source, old, new, 1)
}
`

const (
	replaceScript   = "-- Replaces an entry"
	stagedScript    = "-- Swaps a staged value in for"
	tombstoneScript = "-- Writes a tombstone over whatever entry"
)

func scriptedRows() []scripted {
	return []scripted{
		{
			script: replaceScript, old: "if tail == ARGV[1] then", new: "if tail ~= '' then",
			row: kit.Row{
				Name:     "observation-matches-anything",
				Instead:  "replaces whatever is there once something was observed",
				Promise:  "An observed replace needs the very entry that was observed.",
				Red:      "TestC112_AnExpiredReadLeavesAConcurrentFreshValueAlone",
				Controls: tests("TestC44_AReplacedEntryHasItsFullLifeAgain"),
			},
		},
		{
			script: replaceScript, old: "elseif ARGV[2] ~= '1' then", new: "elseif true then",
			row: kit.Row{
				Name:     "expired-observation-refused-when-the-key-is-gone",
				Instead:  "refuses the observation of an expired entry that the server has dropped meanwhile",
				Promise:  "The observation of an expired entry or a tombstone is satisfied by one that is gone.",
				Red:      "TestTheServersExpiryIsTheEncodedOneForEveryKindOfWrite",
				Controls: tests("TestC44_AReplacedEntryHasItsFullLifeAgain"),
			},
		},
		{
			script: replaceScript, old: "done = redis.pcall('SET', KEYS[1], ARGV[3], 'PX', ARGV[4])\nelseif", new: "done = redis.pcall('SET', KEYS[1], ARGV[3], 'KEEPTTL')\nelseif",
			row: kit.Row{
				Name:     "replaced-entry-keeps-the-old-life",
				Instead:  "replaces the value and keeps the expiry that was there",
				Promise:  "A replaced entry has its full life again.",
				Red:      "TestTheServersExpiryIsTheEncodedOneForEveryKindOfWrite",
				Controls: tests("TestC55_ANegativeEntryDoesNotOverwriteAValueRecordedMeanwhile"),
			},
		},
		{
			script: stagedScript, old: "if tail ~= '' and tail ~= ARGV[1] then", new: "if false then",
			row: kit.Row{
				Name:     "staged-value-swapped-in-unasked",
				Instead:  "renames a large value over the entry without comparing what is there",
				Promise:  "A large replace is as conditional as a small one.",
				Red:      "TestALargeObservedReplaceGoesThroughAStagingKey",
				Controls: tests("TestC44_AReplacedEntryHasItsFullLifeAgain"),
			},
		},
		{
			script: stagedScript, old: "redis.pcall('UNLINK', KEYS[2])", new: "",
			row: kit.Row{
				Name:     "staged-value-left-behind",
				Instead:  "leaves a staged value that was not swapped in to its expiry",
				Promise:  "Whatever is not swapped in is unlinked.",
				Red:      "TestALargeObservedReplaceGoesThroughAStagingKey",
				Controls: tests("TestC44_AReplacedEntryHasItsFullLifeAgain"),
			},
		},
		{
			script: tombstoneScript, old: "if type(head) == 'table' then", new: "if false then",
			row: kit.Row{
				Name:     "tombstone-over-a-foreign-value",
				Instead:  "writes its tombstone over whatever another application keeps there",
				Promise:  "A value of another application's type is never touched.",
				Red:      "TestC87_AForeignValueUnderOurNameSurvivesEveryOperation",
				Controls: tests("TestATombstoneReadsAsAMissAndRefusesFillsThatBeganBefore"),
			},
		},
	}
}
