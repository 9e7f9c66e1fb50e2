package redistest_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/internal/redistest"
)

// probe is one command and how the replies of the server and of the in-process
// fake begin; errors read as "error: " and their text.
type probe struct {
	name         string
	args         []any
	server, fake string
}

// Where the fake answers otherwise than a server. What a test must know about
// any of these, it must ask a server.
var differences = []probe{
	{"CONFIG", []any{"config", "get", "maxmemory"}, "map[maxmemory:0]", "error: ERR unknown command"},
	{"ROLE", []any{"role"}, "[master 0 []]", "error: ERR unknown command"},
	{"INFO server", []any{"info", "server"}, "# Server\r\nredis_version:", "error: section (server) is not supported"},
	{"ACL", []any{"acl", "whoami"}, "default", "error: ERR unknown command"},
	{"OBJECT ENCODING", []any{"object", "encoding", "string"}, "embstr", "error: ERR unknown subcommand"},
	{"cluster commands without a cluster", []any{"cluster", "keyslot", "{a}b"}, "error: ERR This instance has cluster support disabled", "163"},
	{"an expiry past the end of time", []any{"set", "huge", "v", "px", "9223372036854775807"}, "error: ERR invalid expire time", "OK"},
	{"the code of an error in a script", []any{"eval", "return redis.call('get', KEYS[1])", 1, "list"}, "error: WRONGTYPE", "error: ERR Error compiling script"},
	{"a script's shebang", []any{"eval", "#!lua\nreturn 1", 0}, "1", "error: ERR Error compiling script"},
	{"large numbers in a script", []any{"eval", "return tostring(2^53+1)", 0}, "9.007199254741e+15", "9007199254740992"},
	{"an empty table as JSON", []any{"eval", "return cjson.encode({})", 0}, "{}", "[]"},
}

// Where tests of logic may rely on the fake.
var agreements = []probe{
	{name: "the range of an absent key", args: []any{"getrange", "absent", 0, 10}, server: ""},
	{name: "the range of another type", args: []any{"getrange", "list", 0, 10}, server: "error: WRONGTYPE Operation"},
	{name: "a range from the end", args: []any{"getrange", "string", -3, -1}, server: "lue"},
	{name: "the code of a caught error", args: []any{"eval", "return redis.pcall('get', KEYS[1])['err']", 1, "list"}, server: "WRONGTYPE Operation"},
	{name: "fractions a script returns", args: []any{"eval", "return 3.99", 0}, server: "3"},
	{name: "an unknown script", args: []any{"evalsha", strings.Repeat("f", 40), 0}, server: "error: NOSCRIPT No matching script"},
	{name: "only if absent over another type", args: []any{"set", "list", "v", "nx"}, server: "error: redis: nil"},
	{name: "only if absent, with the holder", args: []any{"set", "string", "w", "nx", "get"}, server: "value"},
	{name: "an expiry of nothing", args: []any{"set", "string", "v", "px", 0}, server: "error: ERR invalid expire time"},
	{name: "a rename of nothing", args: []any{"rename", "absent", "other"}, server: "error: ERR no such key"},
	{name: "no expiry", args: []any{"pexpiretime", "string"}, server: "-1"},
	{name: "a write over another type", args: []any{"set", "list", "v"}, server: "OK"},
}

func TestC146_TheFakeDiffersFromAServerWhereWeKnowAndNowhereWeRely(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Options{}).Client()
	fake := fakeClient(t)
	for _, client := range []*redis.Client{server, fake} {
		if err := client.RPush(t.Context(), "list", "x").Err(); err != nil {
			t.Fatal(err)
		}
		if err := client.Set(t.Context(), "string", "value", 0).Err(); err != nil {
			t.Fatal(err)
		}
	}
	check := func(p probe) {
		t.Helper()
		if got := answer(t, server, p.args); !strings.HasPrefix(got, p.server) || p.server == "" && got != "" {
			t.Errorf("%s: the server answers %q, want %q", p.name, got, p.server)
		}
		if got := answer(t, fake, p.args); !strings.HasPrefix(got, p.fake) || p.fake == "" && got != "" {
			t.Errorf("%s: the fake answers %q, want %q", p.name, got, p.fake)
		}
	}
	for _, p := range differences {
		check(p)
	}
	for _, p := range agreements {
		p.fake = p.server
		check(p)
	}
}

func TestC146_KeysExpireByThemselvesOnAServerAlone(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Options{}).Client()
	fake := fakeClient(t)
	for _, client := range []*redis.Client{fake, server} {
		if err := client.Set(t.Context(), "k", "v", 20*time.Millisecond).Err(); err != nil {
			t.Fatal(err)
		}
	}
	// The server's own answer, asked for again and again, is the clock.
	for limit := time.Now().Add(10 * time.Second); answer(t, server, []any{"exists", "k"}) == "1"; {
		if time.Now().After(limit) {
			t.Fatal("the key does not expire on the server")
		}
	}
	if got := answer(t, fake, []any{"exists", "k"}); got != "1" {
		t.Errorf("the fake lets time pass by itself now: EXISTS = %s", got)
	}
}

func fakeClient(t *testing.T) *redis.Client {
	t.Helper()
	client := redis.NewClient(redistest.ClientOptions(miniredis.RunT(t).Addr()))
	t.Cleanup(func() { _ = client.Close() })
	return client
}

func answer(t *testing.T, client *redis.Client, args []any) string {
	t.Helper()
	reply, err := client.Do(t.Context(), args...).Result()
	if err != nil {
		return "error: " + err.Error()
	}
	return fmt.Sprint(reply)
}
