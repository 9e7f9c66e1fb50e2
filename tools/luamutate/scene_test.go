package main

import (
	"strings"
	"testing"
	"time"

	"github.com/cacheaside/resilience/internal/redistest"
)

func TestASceneTellsWhateverComesOtherwise(t *testing.T) {
	server := redistest.Start(t, redistest.Options{Users: users()})
	b := newBench(server.Addr())
	t.Cleanup(b.close)
	const script = `redis.call('SET', KEYS[1], 'text', 'PX', 3600000)
redis.call('HSET', KEYS[2], 'at', '5', 'none', '')
local time = redis.call('TIME')
return '1 ' .. string.format('%.0f', time[1] * 1000000 + time[2])`
	good := func() scene {
		return scene{
			reply: "1 now", before: map[int]held{3: {text: "kept"}},
			after: map[int]held{1: {text: "text", life: time.Hour}, 2: {fields: "at 5 none -", life: foreverLife}},
		}
	}
	for name, row := range map[string]struct {
		change func(s *scene)
		want   string // a part of what is told
	}{
		"a text":           {func(s *scene) { s.after[1] = held{text: "other", life: time.Hour} }, "key 1: another text"},
		"a life":           {func(s *scene) { s.after[1] = held{text: "text"} }, "key 1: its life"},
		"a field":          {func(s *scene) { s.after[2] = held{fields: "at 6 none -", life: foreverLife} }, "key 2: its field at"},
		"a field too many": {func(s *scene) { s.after[2] = held{fields: "at 5", life: foreverLife} }, "key 2: its fields"},
		"a key that stays": {func(s *scene) { delete(s.after, 2) }, "key 2: it is \"\""},
		"a key that goes":  {func(s *scene) { s.after[3] = held{kind: "gone"} }, "key 3: it is \"\""},
		"a clock":          {func(s *scene) { s.reply = "1 now+60000000" }, "it returned"},
		"a reply":          {func(s *scene) { s.reply = "1" }, "it returned"},
		"an error":         {func(s *scene) { s.fails = notAllowed }, "and did not fail"},
		"no error":         {func(s *scene) { s.without = "hset" }, "it failed"},
	} {
		s := good()
		row.change(&s)
		how, err := b.breaksScene(t.Context(), 3, script, s)
		if err != nil || !strings.Contains(how, row.want) {
			t.Errorf("%s: told %q, %v", name, how, err)
		}
	}
}

func TestRewritingTouchesCodeAndNoRemark(t *testing.T) {
	t.Parallel()
	const source = "-- if a == b then\nif a == b then -- c == d\n  return 1\nend\nreturn 1\n"
	for _, m := range derived(source) {
		broken, err := m.apply(source)
		if err != nil || !strings.HasPrefix(broken, "-- if a == b then\n") || !strings.Contains(broken, "-- c == d\n") {
			t.Errorf("%s: %v\n%s", m.breaks, err, broken)
		}
	}
	if got := len(derived(source)); got != 5 {
		t.Errorf("%d ways, want five: both cases, the comparison turned around, and each code", got)
	}
}
