package redisadapter

import (
	"context"
	"strconv"

	"github.com/redis/go-redis/v9"
)

// The commands of this package. No retry setting of a client repeats them: with retries, a write whose reply was lost is sent again, meets itself
// and is reported as refused. A cluster client still follows redirects, which prove that nothing was executed. Each takes one kind of reply and no
// other: the client would make room for as many elements of an array as a reply announces. And none prints what it carries, as the client's own do.
type (
	onceSet    struct{ *redis.StatusCmd }
	onceScript struct{ *redis.IntCmd }
	onceText   struct{ *redis.StringCmd } // a script that answers with a text
	onceRange  struct{ *redis.StringCmd }
)

// NoRetry is asked by every kind of client before it repeats a command.
func (onceSet) NoRetry() bool { return true }

// NoRetry is asked by every kind of client before it repeats a command.
func (onceScript) NoRetry() bool { return true }

// NoRetry is asked by every kind of client before it repeats a command.
func (onceText) NoRetry() bool { return true }

// NoRetry is asked by every kind of client before it repeats a command.
func (onceRange) NoRetry() bool { return true }

// String names the command and its key, and hides the rest.
func (c onceSet) String() string { return describe("set", c.Args(), 1) }

// String names the command and its key, and hides the rest.
func (c onceScript) String() string { return describe(c.Name(), c.Args(), firstScriptKey) }

// String names the command and its key, and hides the rest.
func (c onceText) String() string { return describe(c.Name(), c.Args(), firstScriptKey) }

// String names the command and its key, and tells the length of the reply.
func (c onceRange) String() string {
	return describe("getrange", c.Args(), 1) + ": [" + strconv.Itoa(len(c.Val())) + " bytes]"
}

func describe(name string, args []any, key int) string {
	if len(args) <= key {
		return name
	}
	text, _ := args[key].(string)
	return name + " " + text + " [" + strconv.Itoa(len(args)-1) + " arguments]"
}

// positioned is what the commands have in common.
type positioned interface {
	SetFirstKeyPos(int8)
	SetStepCount(int8)
}

// at says where the command's first key is. A cluster client that is told the distance between keys, whatever it is, does not ask a server for its
// table of commands first, which it does outside every context.
func at(cmd positioned, key int8) {
	cmd.SetFirstKeyPos(key)
	cmd.SetStepCount(1)
}

func newSet(ctx context.Context, args ...any) onceSet {
	cmd := redis.NewStatusCmd(ctx, args...)
	at(cmd, 1)
	return onceSet{cmd}
}

func newScriptCall(ctx context.Context, args ...any) onceScript {
	cmd := redis.NewIntCmd(ctx, args...)
	at(cmd, firstScriptKey)
	return onceScript{cmd}
}

func newScriptText(ctx context.Context, args ...any) onceText {
	cmd := redis.NewStringCmd(ctx, args...)
	at(cmd, firstScriptKey)
	return onceText{cmd}
}

// newRange makes a bounded read of a string.
func newRange(ctx context.Context, key string, start, end any) onceRange {
	cmd := redis.NewStringCmd(ctx, "getrange", key, start, end)
	at(cmd, 1)
	return onceRange{cmd}
}
