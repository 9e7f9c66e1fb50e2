package main

import (
	"strings"
	"time"
)

// The values that the promises are about. The digests hold every kind of byte that a text would not.
const (
	seenDigest  = "\x00\r\n'\"\\%\xff{seen}0123456789abcdefgh"
	otherDigest = "\x00\r\n'\"\\%\xff{else}0123456789abcdefgh"
	newValue    = "CA new value \x00\xff" + "fedcba9876543210fedcba9876543210"
)

// How long things live, far enough apart that a busy machine mistakes none for another.
const (
	entryLife  = 900 * time.Second
	stagedLife = 600 * time.Second
	newLife    = "300000" // milliseconds
	slack      = 120 * time.Second
)

// value is what is stored under a key before the script runs. The zero value is nothing.
type value struct {
	kind    string // as TYPE names it
	text    string
	forever bool
}

func entryOf(digest string) value { return value{kind: "string", text: "CA old value " + digest} }

func text(s string) value { return value{kind: "string", text: s} }

func foreign(kind string) value { return value{kind: kind} }

// promise is one call of a script and what must come of it. Unless said otherwise the entry is left exactly as it was and nothing is staged
// afterwards.
type promise struct {
	name   string
	entry  value
	staged value
	args   []string

	without string // the command that the caller may not run
	full    bool   // the server has no memory left

	code   int64
	fails  string // a part of the error reply, which then comes instead of the code
	writes bool   // the entry is the new value, with the new life
	stays  bool   // what was staged stays, with the life it had or a shorter one
}

// commands are those that the scripts run; for each there is a user who may not.
var commands = [...]string{"getrange", "set", "unlink", "pexpire", "rename", "renamenx"}

const userPassword = "luamutate"

func users() []string {
	rules := make([]string, 0, len(commands))
	for _, command := range commands {
		rules = append(rules, ruleWithout(command))
	}
	for _, commands := range denied() {
		rules = append(rules, ruleWithout(commands))
	}
	only := " (+set ~" + sceneKey(1) + ")"
	return append(rules, userName(setOf1)+" on >"+userPassword+" ~* &* +@all -set"+only)
}

// denied are the sets of commands that the callers of scenes may not run, beside single ones of the above.
func denied() []string {
	return []string{"time", "hmget", "hlen", "hset", "info", "get", "pttl", "pexpire unlink", "hset set"}
}

// setOf1 is denied SET of any key but the first.
const setOf1 = "set but 1"

func userName(commands string) string { return "no-" + strings.ReplaceAll(commands, " ", "-") }

func ruleWithout(commands string) string {
	return userName(commands) + " on >" + userPassword + " ~* &* +@all -" + strings.ReplaceAll(commands, " ", " -")
}

// Parts of the error replies.
const (
	notAllowed = "can't run this command"
	noMemory   = "OOM "
	notNumber  = "not an integer"
	noLife     = "invalid expire"
	noSuchKey  = "no such key"
)
