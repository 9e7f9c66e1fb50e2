package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/internal/redistest"
)

// The keys of every call; one slot, as a cluster would want it.
const (
	entryKey  = "shop:{luamutate}:v"
	stagedKey = "shop:{luamutate}:s"
)

// bench runs scripts on one server. It is for one goroutine.
type bench struct {
	admin   *redis.Client
	callers map[string]*redis.Client // by the command that they may not run; "" may run all
}

func newBench(addr string) *bench {
	b := &bench{admin: redis.NewClient(redistest.ClientOptions(addr)), callers: map[string]*redis.Client{}}
	b.callers[""] = b.admin
	for _, command := range commands {
		opts := redistest.ClientOptions(addr)
		opts.Username, opts.Password = "no-"+command, userPassword
		b.callers[command] = redis.NewClient(opts)
	}
	b.clients(addr)
	return b
}

// close leaves no connection behind. That one was broken is no matter any more.
func (b *bench) close() {
	for _, client := range b.callers {
		_ = client.Close()
	}
}

// try runs every promise against the script and then, until one is broken, against each of its mutants.
func (b *bench) try(ctx context.Context, s subject, source string, read func(file string) string) (row, []string, error) {
	trials := b.trials(s, read)
	r := row{file: s.file, promises: len(trials)}
	var faults []string
	for _, p := range trials {
		broken, err := p.breaks(ctx, source)
		if err != nil {
			return r, nil, fmt.Errorf("%s: %w", p.name, err)
		}
		if broken != "" {
			faults = append(faults, fmt.Sprintf("%s itself, %s: %s", s.file, p.name, broken))
		}
	}
	if len(faults) > 0 {
		return r, faults, nil // what notices a script that is as it should be says nothing about a broken one
	}
	for _, m := range s.ways(source) {
		tried := attempt{mutant: m}
		broken, err := m.apply(source)
		if err == nil {
			err = b.admin.ScriptLoad(ctx, together(read, s.front)+broken+together(read, s.behind)).Err()
		}
		if err != nil {
			faults = append(faults, fmt.Sprintf("%s, %s: %v", s.file, m.breaks, err))
			r.attempts = append(r.attempts, tried)
			continue
		}
		tried.lines = m.lines(source)
		for _, p := range trials {
			how, err := p.breaks(ctx, broken)
			if err != nil {
				return r, nil, fmt.Errorf("%s, %s: %w", m.breaks, p.name, err)
			}
			if how != "" {
				tried.noticed, tried.how = p.name, how
				break
			}
		}
		if tried.noticed == "" {
			faults = append(faults, fmt.Sprintf("%s:%v survives: %s (%q => %q)", s.file, tried.lines, m.breaks, m.text, m.instead))
		}
		r.attempts = append(r.attempts, tried)
	}
	return r, append(faults, s.untouched(source)...), nil
}

// together gives the texts of scripts, one behind the other.
func together(read func(file string) string, files []string) (text string) {
	for _, file := range files {
		text += read(file)
	}
	return text
}

// trial is one promise or scene of a script.
type trial struct {
	name   string
	breaks func(ctx context.Context, source string) (string, error)
}

func (b *bench) trials(s subject, read func(file string) string) (trials []trial) {
	for _, p := range s.cases {
		trials = append(trials, trial{p.name, func(ctx context.Context, source string) (string, error) { return b.breaks(ctx, s, source, p) }})
	}
	for _, played := range s.scenes {
		trials = append(trials, trial{played.name, func(ctx context.Context, source string) (string, error) {
			behind := s.behind
			if played.behind != "" {
				behind = []string{played.behind}
			}
			return b.breaksScene(ctx, s.keys, pretending(played.pretends)+together(read, s.front)+source+together(read, behind), played)
		}})
	}
	return trials
}

// breaks runs one promise and tells how the script breaks it, "" if it does not.
func (b *bench) breaks(ctx context.Context, s subject, source string, p promise) (string, error) {
	if err := b.admin.Del(ctx, entryKey, stagedKey).Err(); err != nil {
		return "", err
	}
	if err := errors.Join(b.put(ctx, entryKey, p.entry, entryLife), b.put(ctx, stagedKey, p.staged, stagedLife)); err != nil {
		return "", err
	}
	before, err := b.look(ctx, entryKey)
	if err != nil {
		return "", err
	}
	code, called := b.call(ctx, s, source, p)
	after, err := b.look(ctx, entryKey)
	if err != nil {
		return "", err
	}
	left, err := b.look(ctx, stagedKey)
	if err != nil {
		return "", err
	}
	return judge(p, code, called, before, after, left), nil
}

func (b *bench) call(ctx context.Context, s subject, source string, p promise) (code int64, called error) {
	if p.full {
		b.admin.ConfigSet(ctx, "maxmemory", "1")
		defer b.admin.ConfigSet(ctx, "maxmemory", "0")
	}
	args := make([]any, 0, len(p.args))
	for _, arg := range p.args {
		args = append(args, arg)
	}
	keys := []string{entryKey, stagedKey}[:s.keys]
	return b.callers[p.without].Eval(ctx, source, keys, args...).Int64()
}

// put stores a value of any kind.
func (b *bench) put(ctx context.Context, key string, v value, life time.Duration) error {
	var cmd redis.Cmder
	switch v.kind {
	case "":
		return nil
	case "string":
		cmd = b.admin.Set(ctx, key, v.text, 0)
	case "list":
		cmd = b.admin.RPush(ctx, key, "a", "b")
	case "hash":
		cmd = b.admin.HSet(ctx, key, "field", "value")
	case "set":
		cmd = b.admin.SAdd(ctx, key, "a", "b")
	case "zset":
		cmd = b.admin.ZAdd(ctx, key, redis.Z{Score: 1, Member: "a"})
	case "stream":
		cmd = b.admin.XAdd(ctx, &redis.XAddArgs{Stream: key, Values: []string{"field", "value"}})
	default:
		return fmt.Errorf("no value of kind %q", v.kind)
	}
	if err := cmd.Err(); err != nil || v.forever {
		return err
	}
	return b.admin.PExpire(ctx, key, life).Err()
}

// sight is what is stored under a key.
type sight struct {
	dump string // of every kind of value; "" if there is none
	text string // of a string
	life time.Duration
}

func (b *bench) look(ctx context.Context, key string) (sight, error) {
	dump, err := b.admin.Dump(ctx, key).Result()
	if errors.Is(err, redis.Nil) {
		return sight{}, nil
	}
	if err != nil {
		return sight{}, err
	}
	life, err := b.admin.PTTL(ctx, key).Result()
	if err != nil {
		return sight{}, err
	}
	text, err := b.admin.Get(ctx, key).Result()
	if err != nil && !strings.HasPrefix(err.Error(), "WRONGTYPE") {
		return sight{}, err
	}
	return sight{dump: dump, text: text, life: life}, nil
}
