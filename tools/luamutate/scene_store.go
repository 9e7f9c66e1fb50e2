package main

import (
	"context"
	"strings"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/internal/redistest"
)

// clear leaves no key, and gives the server's clock in microseconds and its identity.
func (b *bench) clear(ctx context.Context, names []string, promoted bool) (now int64, identity string, err error) {
	pipe := b.admin.Pipeline()
	pipe.Del(ctx, append(names[:len(names):len(names)], entryKey, stagedKey)...)
	if promoted {
		pipe.Do(ctx, "replicaof", "127.0.0.1", "1")
		pipe.Do(ctx, "replicaof", "no", "one")
	}
	info, at := pipe.Info(ctx, "server", "replication"), pipe.Time(ctx)
	if _, err := pipe.Exec(ctx); err != nil {
		return 0, "", err
	}
	line := func(name string) string {
		_, rest, _ := strings.Cut(info.Val(), "\n"+name+":")
		value, _, _ := strings.Cut(rest, "\r")
		return value
	}
	id := line("master_replid")
	if strings.Trim(line("master_replid2"), "0") == "" {
		id = "-"
	}
	return at.Val().UnixMicro(), line("run_id") + ":" + id, nil
}

// hold stores a value of any kind.
func (h held) hold(ctx context.Context, pipe redis.Pipeliner, key string, now int64) {
	switch {
	case h.fields != "":
		var pairs []any
		for name, value := range h.pairs() {
			pairs = append(pairs, name, written(value, now, ""))
		}
		pipe.HSet(ctx, key, pairs...)
	case h.kind != "":
		pipe.RPush(ctx, key, "a", "b")
	default:
		pipe.Set(ctx, key, h.text, 0)
	}
	switch h.life {
	case foreverLife:
	case 0:
		pipe.PExpire(ctx, key, entryLife)
	default:
		pipe.PExpire(ctx, key, h.life)
	}
}

// see tells what is stored under the keys, and the server's clock then, after what else the caller has to send.
func (b *bench) see(ctx context.Context, names []string, first func(redis.Pipeliner)) (seen []held, now int64, err error) {
	pipe := b.admin.Pipeline()
	if first != nil {
		first(pipe)
	}
	kinds, lives := make([]*redis.StatusCmd, len(names)), make([]*redis.DurationCmd, len(names))
	texts, fields := make([]*redis.StringCmd, len(names)), make([]*redis.MapStringStringCmd, len(names))
	for i, name := range names {
		kinds[i], lives[i] = pipe.Type(ctx, name), pipe.PTTL(ctx, name)
		texts[i], fields[i] = pipe.Get(ctx, name), pipe.HGetAll(ctx, name)
	}
	at := pipe.Time(ctx)
	_, _ = pipe.Exec(ctx) // no key is both a string and a hash
	if err := at.Err(); err != nil {
		return nil, 0, err
	}
	for i := range names {
		h := held{life: lives[i].Val()}
		switch kind := kinds[i].Val(); kind {
		case "none":
			h.kind = "gone"
		case "string":
			h.text = texts[i].Val()
		case "hash":
			h.fields = joined(fields[i].Val())
		default:
			h.kind = kind
		}
		seen = append(seen, h)
	}
	return seen, at.Val().UnixMicro(), nil
}

func joined(pairs map[string]string) string {
	var words []string
	for name, value := range pairs {
		if value == "" {
			value = "-"
		}
		words = append(words, name, value)
	}
	return strings.Join(words, " ")
}

func (h held) pairs() map[string]string {
	words, pairs := strings.Fields(h.fields), map[string]string{}
	for i := 0; i+1 < len(words); i += 2 {
		pairs[words[i]] = strings.TrimPrefix(words[i+1], "-")
		if len(words[i+1]) > 1 {
			pairs[words[i]] = words[i+1]
		}
	}
	return pairs
}

// clients opens one for each set of commands that scenes deny.
func (b *bench) clients(addr string) {
	for _, commands := range append(denied(), setOf1) {
		opts := redistest.ClientOptions(addr)
		opts.Username, opts.Password = userName(commands), userPassword
		b.callers[commands] = redis.NewClient(opts)
	}
}
