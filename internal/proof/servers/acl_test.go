package servers_test

import (
	"errors"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/internal/redistest"
)

const documentedNamespace = "atlas"

// documentedUser is the command that docs/operate-redis.md shows, with a password in it.
func documentedUser(t testing.TB) []string {
	t.Helper()
	page, err := os.ReadFile("../../../docs/operate-redis.md")
	if err != nil {
		t.Fatal(err)
	}
	lines := regexp.MustCompile(`(?m)^ACL SETUSER cache on >… .*$`).FindAllString(string(page), -1)
	if len(lines) != 1 {
		t.Fatalf("the page shows %d commands that make a user", len(lines))
	}
	return strings.Fields(strings.Replace(lines[0], "…", password, 1))
}

// granted are the commands that a rule grants beyond none.
func granted(rule []string) (commands []string) {
	for _, word := range rule {
		if strings.HasPrefix(word, "+") {
			commands = append(commands, word)
		}
	}
	return commands
}

// needs says which operations are refused without each command, and without which of the names.
var needs = map[string][]string{
	"+getrange": {
		"a lookup", "a record over an observed entry", "a large record over an observed entry", "a large record over what is gone", "an invalidation",
		"an invalidation whose script was forgotten", "an invalidation at a full server", "the removal of a staged value that is refused",
		"a record whose answer got lost",
	},
	"+set": {
		"a record after a miss", "a record over an observed entry", "a large record over an observed entry", "a large record over what is gone",
		"an invalidation", "an invalidation whose script was forgotten", "an invalidation at a full server",
		"the removal of a staged value that is refused", "a record whose answer got lost",
	},
	"+evalsha": {
		"a record over an observed entry", "a large record over an observed entry", "a large record over what is gone", "an invalidation",
		"an invalidation whose script was forgotten", "an invalidation at a full server", "the removal of a staged value that is refused",
	},
	"+eval":     {"an invalidation whose script was forgotten", "an invalidation at a full server"},
	"+pexpire":  {"a large record over an observed entry", "a large record over what is gone"},
	"+rename":   {"a large record over an observed entry"},
	"+renamenx": {"a large record over what is gone"},
	"+hmget":    {"an invalidation", "an invalidation whose script was forgotten", "an invalidation at a full server"},
	"+unlink":   {"the removal of a staged value that is refused"},
}

// TestTheDocumentedUserCanDoEverythingAndWithoutAnyOneOfItsCommandsSomethingIsRefused also names what.
func TestTheDocumentedUserCanDoEverythingAndWithoutAnyOneOfItsCommandsSomethingIsRefused(t *testing.T) {
	t.Parallel()
	p := newPermitted(t)
	rule := documentedUser(t)
	p.wantRefused("with all that is documented", rule, nil)
	if got, want := slices.Sorted(slices.Values(granted(rule))), slices.Sorted(maps.Keys(needs)); !slices.Equal(got, want) {
		t.Fatalf("granted are %v, needed %v", got, want)
	}
	for _, command := range granted(rule) {
		less := slices.DeleteFunc(slices.Clone(rule), func(word string) bool { return word == command })
		p.wantRefused("without "+command, less, needs[command])
	}
}

// TestTheDocumentedPatternOfNamesIsNeededAndOpensNothingElse narrows it in three ways.
func TestTheDocumentedPatternOfNamesIsNeededAndOpensNothingElse(t *testing.T) {
	t.Parallel()
	p := newPermitted(t)
	rule := documentedUser(t)
	pattern := "~" + documentedNamespace + ":*"
	if !slices.Contains(rule, pattern) {
		t.Fatalf("%v has no %s", rule, pattern)
	}
	staging := []string{
		"a large record over an observed entry", "a large record over what is gone", "the removal of a staged value that is refused",
	}
	writes := []string{
		"a record after a miss", "a record over an observed entry", "an invalidation", "an invalidation whose script was forgotten",
		"an invalidation at a full server", "a record whose answer got lost",
	}
	for what, narrow := range map[string]struct {
		pattern string
		refused []string
	}{
		"entries alone": {"~" + documentedNamespace + ":*:v", slices.Concat(staging, []string{
			"an invalidation", "an invalidation whose script was forgotten", "an invalidation at a full server",
		})},
		"reading alone":       {"%R~" + documentedNamespace + ":*", slices.Concat(staging, writes)},
		"another namespace":   {"~other:*", slices.Concat(staging, writes, []string{"a lookup"})},
		"one region, its own": {"~" + documentedNamespace + ":" + bookRegion + ":*", nil},
	} {
		less := slices.Clone(rule)
		less[slices.Index(less, pattern)] = narrow.pattern
		p.wantRefused("with "+what, less, narrow.refused)
	}
	p.become(rule)
	user := p.user()
	for _, args := range [][]any{
		{"getrange", "other:x", 0, 1}, {"set", "other:x", "v"}, {"rename", documentedNamespace + ":x", "other:x"},
		{"get", documentedNamespace + ":x"}, {"del", documentedNamespace + ":x"}, {"keys", "*"}, {"flushall"}, {"config", "get", "*"}, {"publish", "c", "m"},
	} {
		if err := user.Do(t.Context(), args...).Err(); err == nil || !strings.HasPrefix(err.Error(), "NOPERM") {
			t.Errorf("%v as the documented user: %v", args[0], err)
		}
	}
}

// permitted is a server, its administrator, and the user whose permissions change.
type permitted struct {
	t      *testing.T
	server *redistest.Server
	admin  *redis.Client
	rule   []string
}

func newPermitted(t *testing.T) *permitted {
	t.Helper()
	p := &permitted{t: t, server: redistest.Start(t, redistest.Options{})}
	p.admin = p.server.Client()
	return p
}

// become gives the user the permissions of a rule and no others.
func (p *permitted) become(rule []string) {
	p.t.Helper()
	p.rule = rule
	args := []any{}
	for _, word := range rule {
		args = append(args, word)
	}
	if err := errors.Join(p.admin.Do(p.t.Context(), "acl", "deluser", rule[2]).Err(), p.admin.Do(p.t.Context(), args...).Err()); err != nil {
		p.t.Fatal(err)
	}
}

// user is a new client of the user, who logs in by what every connection may.
func (p *permitted) user() *redis.Client {
	options := p.server.ClientOptions()
	options.Username, options.Password = p.rule[2], password
	client := redis.NewClient(options)
	p.t.Cleanup(func() { _ = client.Close() })
	return client
}

// wantRefused tries every operation under a rule.
func (p *permitted) wantRefused(what string, rule, refused []string) {
	p.t.Helper()
	p.become(rule)
	var got []string
	for name, operation := range operations {
		if err := operation(p.t.Context(), newClerk(p)); err != nil {
			got = append(got, name)
			if len(refused) == 0 {
				p.t.Errorf("%s: %s: %v", what, name, err)
			}
		}
	}
	if slices.Sort(got); !slices.Equal(got, slices.Sorted(slices.Values(refused))) {
		p.t.Errorf("%s are refused:\n%s\nwant\n%s", what, strings.Join(got, "\n"), strings.Join(slices.Sorted(slices.Values(refused)), "\n"))
	}
}
