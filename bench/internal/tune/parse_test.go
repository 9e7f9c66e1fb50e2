package tune_test

import (
	"strings"
	"testing"

	"github.com/cacheaside/resilience/bench/internal/tune"
)

func TestTheSameFileMayBeWrittenInMoreThanOneWay(t *testing.T) {
	t.Parallel()
	want := parsed(t, "[region]\npreset = 'strict'\n[region.serve_stale]\non_deadline = true\n[ttl]\nsoft = '5s'\n")
	for _, text := range []string{
		"region = {serve_stale = {on_deadline = true}, preset = 'strict'}\nttl.soft = '5000ms'\n",
		"region.serve_stale.on_deadline = true\nregion.preset = 'strict'\nttl = {soft = '5.0s'}\n",
		"# \ufeff\r\n[ttl]\r\nsoft = '5s'\r\n[region]\r\nserve_stale.on_deadline = true\r\npreset = \"\"\"strict\"\"\"\r\n",
	} {
		got, err := tune.Parse(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if got.Policy() != want.Policy() || got.Setup().TTL != want.Setup().TTL {
			t.Errorf("%q: got %+v with %v", text, got.Policy(), got.Setup().TTL)
		}
	}
	fault := parsed(t, "fault = [{kind = 'store-flush', from = '1s'}, {kind = 'store-failover', from = '2s'}]\n").Setup()
	if len(fault.StoreFaults) != 2 || !fault.Store.KeepsLog {
		t.Errorf("faults on one line are %+v", fault.StoreFaults)
	}
}

// A service at the ends of what is allowed still runs, and is concluded on.
func TestTheEndsOfEveryRangeCanBeRun(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"hardly anybody":     "[users]\nrate = 0.001\nkeys = 1\nnodes = 1\n[run]\nlength = '1s'\nwarm_up = '0s'\n",
		"nothing is there":   "[users]\nrate = 200\nabsent = 1\n[run]\nlength = '2s'\nwarm_up = '0s'\n",
		"nothing lives":      "[ttl]\nsoft = '1ms'\nhard = '1ms'\nnegative = '1ms'\njitter = 0.5\n[users]\nrate = 200\n[run]\nlength = '2s'\nwarm_up = '1s'\n",
		"everything at once": "[users]\nrate = 200\ncalls = 100\nretry_failures = true\nchurn = 1\ndeadline = '1ms'\n[source]\nworkers = 1\nsigma = 3\ndrops_abandoned = true\n[store]\ntrip = '60ms'\n[run]\nlength = '2s'\nwarm_up = '0s'\n",
		"many nodes":         "[users]\nrate = 200\nnodes = 256\nzipf = 5\n[store]\ntrip = '0s'\n[run]\nlength = '2s'\nwarm_up = '0s'\n",
		"trouble throughout": "[users]\nrate = 200\n[run]\nlength = '2s'\nwarm_up = '0s'\n[[fault]]\nkind = 'source-hang'\nfrom = '0s'\nto = '2s'\n[[fault]]\nkind = 'store-refuse'\nfrom = '0s'\nto = '2s'\n[[fault]]\nkind = 'store-flush'\nfrom = '2s'\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			config := parsed(t, text)
			runs := runAll(t, config)
			s := config.Conclude(runs)
			if len(s.Runs) != 3 || len(s.Plots) < 3 {
				t.Errorf("%d runs and %d plots", len(s.Runs), len(s.Plots))
			}
			for _, c := range s.Checks {
				if c.Verdict == "fail" {
					t.Errorf("%s: %s is %s, must be %s", c.Contender, c.What, c.Measured, c.Bound)
				}
			}
		})
	}
}

func FuzzAnyTextIsAConfigurationOrLinesThatSayWhyNot(f *testing.F) {
	for _, text := range []string{
		"", small, "[[fault]]\nkind = 'store-flush'\nfrom = '1s'\n", "[[fault]]\n[[fault]]\n[fault.x]\n", "fault = [1, {}]\n", "\"a\\nb\" = 1\n", "[users]\n\"\\n\" = 'x'\n",
		"[region]\nserve_stale = [[]]\n", "[ttl]\nsoft = 1979-05-27T07:32:00Z\n", "[run]\ncompare = [[], {a = 1}]\n", "a = '''\n[[fault]]\n'''\n[[fault]]\nfrom = 3\n", "\xff",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		config, err := tune.Parse(text)
		if err == nil {
			if setup := config.Setup(); setup.Rate <= 0 || setup.Nodes < 1 || config.Policy().Validate() != nil {
				t.Errorf("%q gives %+v", text, setup)
			}
			return
		}
		for _, line := range strings.Split(err.Error(), "\n") {
			if !strings.Contains(line, "must ") && !strings.Contains(line, "is unknown: ") && !strings.Contains(line, "is not TOML: ") && !strings.Contains(line, "is missing; ") {
				t.Errorf("%q gives a line without a rule: %q", text, line)
			}
		}
	})
}
