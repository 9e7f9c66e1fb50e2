package tune_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cacheaside/resilience/bench/internal/tune"
	"github.com/cacheaside/resilience/cacheaside"
)

func TestEachMistakeIsOneLineThatNamesFileLineFieldValueAndRule(t *testing.T) {
	t.Parallel()
	const notDuration = `must be a duration in quotes, such as "250ms"`
	const kinds = "source-slow, source-capacity, source-errors, source-down, source-hang, store-refuse, store-black-hole, store-slow, store-flush, store-failover"
	for name, row := range map[string]struct {
		text string
		want []string
	}{
		"an unknown section": {"[rgion]\n", []string{":1: rgion is unknown: the file has region, ttl, users, source, store, run, fault"}},
		"an unknown field":   {"[ttl]\nsfot = '1s'\n", []string{":2: ttl.sfot is unknown: [ttl] has soft, hard, negative, jitter"}},
		"an unknown field below": {
			"[region.serve_stale]\non_error = true\n",
			[]string{":2: region.serve_stale.on_error is unknown: [region.serve_stale] has on_transient, on_rejected, on_deadline, on_held, refresh_wait"},
		},
		"a section that is none": {"users = 5\n", []string{":1: users is 5, must be a table, [users]"}},
		"text for a number":      {"[users]\nrate = 'many'\n", []string{`:2: users.rate is "many", must be a number`}},
		"a part of a node":       {"[users]\nnodes = 1.5\n", []string{":2: users.nodes is 1.5, must be a whole number"}},
		"a number for a time":    {"[ttl]\nsoft = 60\n", []string{":2: ttl.soft is 60, " + notDuration}},
		"no time":                {"[ttl]\nsoft = 'soon'\n", []string{`:2: ttl.soft is "soon", ` + notDuration}},
		"a number for a truth":   {"[source]\ndrops_abandoned = 1\n", []string{":2: source.drops_abandoned is 1, must be true or false"}},
		"an array for a number":  {"[users]\nkeys = [1]\n", []string{":2: users.keys is an array, must be a whole number"}},
		"out of range":           {"[users]\nrate = 0\nnodes = 0\nzipf = -0.1\n", []string{":2: users.rate is 0, must be more than 0 and at most 1000000", ":3: users.nodes is 0, must be 1 to 256", ":4: users.zipf is -0.1, must be 0 to 5"}},
		"not a number at all":    {"[ttl]\njitter = nan\n", []string{":2: ttl.jitter is NaN, must be 0 to 0.5"}},
		"infinitely many":        {"[users]\nrate = inf\n", []string{":2: users.rate is +Inf, must be more than 0 and at most 1000000"}},
		"a time out of range":    {"[store]\ntrip = '1s'\n", []string{`:2: store.trip is "1s", must be 0s to 60ms`}},
		"an unknown preset":      {"[region]\npreset = 'brave'\n", []string{`:2: region.preset is "brave", must be "strict", "balanced" or "survive"`}},
		"a name with a space":    {"[region]\nname = 'my region'\n", []string{`:2: region.name is "my region", must be a text that fits ^[A-Za-z0-9_.-]{1,64}$`}},
		"an unknown action":      {"[region]\nfuture = 'Panic'\n", []string{`:2: region.future is "Panic", must be FailFast, QuarantineAndReload or LoadOnly`}},
		"a wait that is none":    {"[region]\nserve_stale.refresh_wait = '-1ns'\n", []string{`:2: region.serve_stale.refresh_wait is "-1ns", ` + notDuration + `, or "dont-wait"`}},
		"an unknown contender":   {"[run]\ncompare = ['P0', 'P9']\n", []string{`:2: run.compare is an array, must hold contenders of the lab only, of P0 to P8; "P9" is none`}},
		"a contender twice":      {"[run]\ncompare = ['P0', 'P0']\n", []string{`:2: run.compare is an array, must hold each contender once; "P0" is there twice`}},
		"no seed":                {"[run]\nseed = 0\n", []string{":2: run.seed is 0, must be a whole number, at least 1"}},

		"the policy's own range": {"[region]\nsource_concurrency = 0\n", []string{":2: region.source_concurrency is 0, must be 1 to 1048576"}},
		"the policy's own action": {
			"[region]\nincompatible = 'load-only'\n", []string{":2: region.incompatible is LoadOnly, must be FailFast or QuarantineAndReload"},
		},
		"an override against its preset": {
			"[region]\npreset = 'strict'\nsource_concurrency = 300\n",
			[]string{": region.max_in_flight_keys is 256 by preset strict, must be at least SourceConcurrency"},
		},
		"a rule below": {"[region.serve_stale]\nrefresh_wait = '-2s'\n", []string{":2: region.serve_stale.refresh_wait is -2s, must be 0 to 24h0m0s"}},

		"soft above hard":              {"[ttl]\nsoft = '2h'\nhard = '1h'\n", []string{":2: ttl.soft is 2h0m0s, must be at most ttl.hard (1h0m0s)"}},
		"soft above the default":       {"[ttl]\nsoft = '2h'\n", []string{":2: ttl.soft is 2h0m0s, must be at most ttl.hard (10m0s)"}},
		"hard below the default":       {"[ttl]\nhard = '2s'\n", []string{": ttl.soft is 1m0s by default, must be at most ttl.hard (2s)"}},
		"too long with jitter":         {"[ttl]\nhard = '700h'\njitter = 0.5\n", []string{":2: ttl.hard is 700h0m0s, must be at most 720h0m0s with its largest jitter, 0.5"}},
		"nobody to replace":            {"[users]\nkeys = 5\nchurn = 0.5\n", []string{":3: users.churn is 0.5, must be 0 for fewer than 10 keys, which have no hottest tenth"}},
		"more than can be run":         {"[users]\nrate = 1e6\n", []string{":2: users.rate is 1000000, must leave at most 20000000 requests in run.warm_up and run.length, not 65000000"}},
		"no line follows from another": {"[ttl]\nsoft = '20m'\nhard = 'x'\n", []string{`:3: ttl.hard is "x", ` + notDuration}},

		"one fault for all":   {"[fault]\nkind = 'store-flush'\n", []string{":1: fault is a table, must be written as [[fault]], one for each"}},
		"faults on a line":    {"fault = []\n", []string{":1: fault is an array, must be written as [[fault]], one for each"}},
		"a fault of no kind":  {"[run]\n[[fault]]\nfrom = '1s'\n", []string{":2: fault[1].kind is missing; must be one of " + kinds}},
		"an unknown kind":     {"[[fault]]\nkind = 'fire'\n", []string{`:2: fault[1].kind is "fire", must be one of ` + kinds}},
		"a fault at no time":  {"[[fault]]\nkind = 'store-flush'\n", []string{":1: fault[1].from is missing; " + notDuration + ", counted from the end of the warm-up"}},
		"a moment with a to":  {"[[fault]]\nkind = 'store-flush'\nfrom = '1s'\nto = '2s'\n", []string{`:4: fault[1].to is "2s", must be left out: store-flush has none`}},
		"a factor of nothing": {"[[fault]]\nkind = 'source-down'\nfrom = '1s'\nto = '2s'\nfactor = 2\n", []string{":5: fault[1].factor is 2, must be left out: source-down has none"}},
		"without its factor":  {"[[fault]]\nkind = 'source-slow'\nfrom = '1s'\nto = '2s'\n", []string{":1: fault[1].factor is missing; source-slow needs it, and it must be more than 1 and at most 1000"}},
		"a part of all":       {"[[fault]]\nkind = 'source-capacity'\nfrom = '1s'\nto = '2s'\npart = 1\n", []string{":5: fault[1].part is 1, must be more than 0 and less than 1"}},
		"a part of none":      {"[[fault]]\nkind = 'source-errors'\nfrom = '1s'\nto = '2s'\npart = 0\n", []string{":5: fault[1].part is 0, must be more than 0 and at most 1"}},
		"an unknown word":     {"[[fault]]\nkind = 'store-flush'\nfrom = '1s'\nfactr = 2\n", []string{":4: fault[1].factr is unknown: [[fault]] has kind, from, to, factor, part"}},
		"after the end":       {"[[fault]]\nkind = 'source-down'\nfrom = '1s'\nto = '2m'\n", []string{":4: fault[1].to is 2m0s, must be 0s to run.length (1m0s)"}},
		"the end first":       {"[[fault]]\nkind = 'source-down'\nfrom = '3s'\nto = '2s'\n", []string{":4: fault[1].to is 2s, must be later than from (3s)"}},
		"too many faults":     {strings.Repeat("[[fault]]\n", 101), []string{": fault is there 101 times, must be at most 100 times"}},
		"of several faults each its own line": {
			"[[fault]]\nkind = 'store-flush'\nfrom = 1\n[[fault]] # another\nkind = 'store-flush'\nfrom = 2\n[run]\nlength = '10s'\n[[ fault ]]\nkind = 'store-flush'\nfrom = 3\n",
			[]string{":3: fault[1].from is 1, " + notDuration, ":6: fault[2].from is 2, " + notDuration, ":11: fault[3].from is 3, " + notDuration},
		},
		"two at once": {
			"[[fault]]\nkind = 'x'\n[[fault]]\nkind = 'source-down'\nfrom = '1s'\nto = '3s'\n[[fault]]\nkind = 'source-slow'\nfactor = 2\nfrom = '2s'\nto = '4s'\n",
			[]string{`:2: fault[1].kind is "x", must be one of ` + kinds, ":7: fault[3] is source-slow factor 2 from 2s to 4s, must not be at the same time as fault[2], source-down from 1s to 3s"},
		},

		"no TOML":     {"[users\nrate = 1\n", []string{":2: is not TOML: expected '.' or ']' to end table name, but got '\\n' instead"}},
		"a key twice": {"[users]\nrate = 1\nrate = 2\n", []string{":3: is not TOML: Key 'users.rate' has already been defined."}},
		"all at once, in the order of the file": {
			"[users]\nrate = -1\n[ttl]\nsoft = 3\n[region]\nsource_concurrency = 0\nx = 1\n",
			[]string{":2: users.rate is -1, must be more than 0 and at most 1000000", ":4: ttl.soft is 3, " + notDuration, ":6: region.source_concurrency is 0, must be 1 to 1048576", ":7: region.x is unknown: [region] has name, preset, max_in_flight_keys, max_waiters_per_key, source_concurrency, max_overdue_per_key, admission_wait, load_deadline, record_wait, failure_backoff, coordination, held_wait, held, cancel_abandoned, incompatible, future, corrupt, serve_stale"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "my.toml")
			if err := os.WriteFile(path, []byte(row.text), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := tune.Read(path)
			if err == nil {
				t.Fatal("nothing is said")
			}
			got := strings.ReplaceAll(err.Error(), path, "my.toml")
			if want := "my.toml" + strings.Join(row.want, "\nmy.toml"); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func TestAFileThatCannotBeReadIsNamedWithTheReason(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	long := filepath.Join(folder, "long.toml")
	if err := os.WriteFile(long, []byte(strings.Repeat("#\n", 1<<19+1)), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		filepath.Join(folder, "none.toml"): "cannot be read: no such file or directory",
		folder:                             "cannot be read: must be a regular file",
		long:                               "is too long: must be at most 64 KiB",
		os.DevNull:                         "cannot be read: must be a regular file",
	} {
		if _, err := tune.Read(path); err == nil || err.Error() != path+": "+want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if _, err := tune.Read(filepath.Join(folder, "none.toml")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v does not tell that there is no such file", err)
	}
}

func TestATextThatIsNestedWithoutMeasureIsRefusedAtOnce(t *testing.T) {
	t.Parallel()
	for name, line := range map[string]string{
		"tables": "[" + strings.Repeat("a.", 20_000) + "a]", "inline tables": "x = " + strings.Repeat("{a=", 10_000) + "1" + strings.Repeat("}", 10_000),
		"lists": "x = " + strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000),
	} {
		if _, err := tune.Parse("# " + strings.Repeat(".", 100) + "\n" + line); err == nil || !strings.Contains(err.Error(), "2") || !strings.Contains(err.Error(), "nested too deeply") {
			t.Errorf("%s: %.200v", name, err)
		}
	}
}

func TestAMistakeOfATextNamesNoFileAndThePolicysFaultsAreTheCause(t *testing.T) {
	t.Parallel()
	_, err := tune.Parse("[region]\nload_deadline = '0s'\n")
	if err == nil || err.Error() != "line 2: region.load_deadline is 0s, must be positive" {
		t.Fatalf("got %v", err)
	}
	fault, ok := errors.AsType[*cacheaside.FieldError](err)
	if !ok || fault.Field != "LoadDeadline" {
		t.Errorf("the cause is %v", fault)
	}
	mistake, ok := errors.AsType[*tune.FileError](err)
	if !ok || mistake.Line != 2 || mistake.Field != "region.load_deadline" || mistake.Value != "0s" || mistake.Rule != "must be positive" {
		t.Errorf("the mistake is %+v", mistake)
	}
}
