package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// scene is one call of a script with several keys and what must come of it. Words that begin with "now" are the server's clock in microseconds, with
// an offset at most; "seconds" is that clock in whole seconds; "left:" is as much at most, and not much less; "{identity}" is what the server calls
// itself.
type scene struct {
	name   string
	before map[int]held // by number of the key, from 1
	args   []string

	without  string // the commands that the caller may not run, with spaces between them
	full     bool   // the server has no memory left
	behind   string // the script that stands behind instead of the subject's
	pretends string // what INFO says of a section, as its name and its text
	promoted bool   // the server was a replica once

	reply string // its words, and numbers as text
	fails string // a part of the error reply, which then comes instead of the reply
	after map[int]held
}

// held is what is stored under one key. One that a scene does not name afterwards is as it was.
type held struct {
	text   string
	fields string // of a hash: names and values, with spaces between them, where "-" is an empty value
	kind   string // of what is neither, as TYPE names it; "gone" for nothing
	life   time.Duration
}

const foreverLife = -1

// The names of the keys of every scene, in one slot.
func sceneKey(number int) string { return "shop:{luamutate}:" + strconv.Itoa(number) }

// breaksScene runs one scene and tells how the script breaks it, "" if it does not.
func (b *bench) breaksScene(ctx context.Context, keys int, source string, s scene) (string, error) {
	names := make([]string, keys)
	for i := range names {
		names[i] = sceneKey(i + 1)
	}
	begun, identity, err := b.clear(ctx, names, s.promoted)
	if err != nil {
		return "", err
	}
	if s.promoted {
		defer b.admin.Do(ctx, "debug", "change-repl-id")
	}
	args := make([]any, len(s.args))
	for i, arg := range s.args {
		args[i] = written(arg, begun, identity)
	}
	before, _, err := b.see(ctx, names, func(pipe redis.Pipeliner) {
		for number, h := range s.before {
			h.hold(ctx, pipe, sceneKey(number), begun)
		}
	})
	if err != nil {
		return "", err
	}
	reply, called := b.runScene(ctx, source, names, args, s)
	after, ended, err := b.see(ctx, names, nil)
	if err != nil {
		return "", err
	}
	w := window{begun, ended, identity}
	if how := w.judgeReply(s, reply, called); how != "" {
		return how, nil
	}
	for i := range names {
		want, named := s.after[i+1]
		if !named {
			want = before[i]
		}
		if how := w.judgeKey(want, after[i]); how != "" {
			return fmt.Sprintf("key %d: %s", i+1, how), nil
		}
	}
	return "", nil
}

func (b *bench) runScene(ctx context.Context, source string, names []string, args []any, s scene) (string, error) {
	if s.full {
		b.admin.ConfigSet(ctx, "maxmemory", "1")
		defer b.admin.ConfigSet(ctx, "maxmemory", "0")
	}
	reply, err := b.callers[s.without].Eval(ctx, source, names, args...).Result()
	return fmt.Sprint(reply), err
}

// pretending shows a script another answer of INFO for one section than the server's.
func pretending(what string) string {
	if what == "" {
		return ""
	}
	section, answer, _ := strings.Cut(what, " ")
	return `local real = redis
local redis = {pcall = function(command, what, ...)
  if command == 'INFO' and what == '` + section + `' then
    return ` + answer + `
  end
  return real.pcall(command, what, ...)
end}
redis.call = redis.pcall
`
}
