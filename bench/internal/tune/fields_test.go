package tune_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cacheaside/resilience/bench/internal/scenario"
	"github.com/cacheaside/resilience/bench/internal/sim"
	"github.com/cacheaside/resilience/bench/internal/tune"
	"github.com/cacheaside/resilience/cacheaside"
)

// leaf is a field of a policy with its place and its name in a file.
type leaf struct {
	index []int
	name  string
}

// leavesOf finds every field of a struct, those of structs in it included.
func leavesOf(of reflect.Type, index []int, prefix string) (leaves []leaf) {
	for n := range of.NumField() {
		f := of.Field(n)
		place, name := append(slices.Clone(index), n), prefix+snake(f.Name)
		if f.Type.Kind() == reflect.Struct {
			leaves = append(leaves, leavesOf(f.Type, place, name+".")...)
		} else {
			leaves = append(leaves, leaf{place, name})
		}
	}
	return leaves
}

func snake(name string) string {
	var b strings.Builder
	for n, letter := range name {
		if n > 0 && letter >= 'A' && letter <= 'Z' {
			b.WriteByte('_')
		}
		b.WriteRune(letter)
	}
	return strings.ToLower(b.String())
}

// change sets a field of the balanced policy to something else that is in order, and gives that as a file would have it.
func change(t *testing.T, v reflect.Value) string {
	t.Helper()
	switch old := v.Interface().(type) {
	case int:
		v.SetInt(int64(old - 1))
		return fmt.Sprint(old - 1)
	case bool:
		v.SetBool(!old)
		return fmt.Sprint(!old)
	case time.Duration:
		v.SetInt(int64(old + time.Millisecond))
		return `"` + (old + time.Millisecond).String() + `"`
	case cacheaside.EntryAction:
		other := cacheaside.FailFast
		if old == other {
			other = cacheaside.LoadOnly
		}
		v.SetUint(uint64(other))
		return `"` + other.String() + `"`
	case cacheaside.Coordination:
		v.SetUint(uint64(cacheaside.Fleet))
		return `"fleet"`
	case cacheaside.HeldAction:
		v.SetUint(uint64(cacheaside.HeldLoad))
		return `"HeldLoad"`
	default:
		t.Fatalf("a policy has a field of type %T, of which a file knows nothing", old)
		return ""
	}
}

func TestEveryFieldOfAPolicyHasANameInAFileAndIsSetByIt(t *testing.T) {
	t.Parallel()
	leaves := leavesOf(reflect.TypeFor[cacheaside.Policy](), nil, "")
	if len(leaves) < 16 {
		t.Fatalf("only %v were found", leaves)
	}
	for _, l := range leaves {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			want := cacheaside.BalancedPolicy()
			text := change(t, reflect.ValueOf(&want).Elem().FieldByIndex(l.index))
			config, err := tune.Parse("[region]\npreset = 'balanced'\n" + l.name + " = " + text + "\n")
			if err != nil {
				t.Fatal(err)
			}
			if config.Policy() != want {
				t.Errorf("with %s = %s the policy is %+v, want %+v", l.name, text, config.Policy(), want)
			}
		})
	}
}

func TestAPresetStandsForItsPolicyWhereverItIsWritten(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]cacheaside.Policy{
		"strict": cacheaside.StrictPolicy(), "balanced": cacheaside.BalancedPolicy(), "survive": cacheaside.SurvivePolicy(),
	} {
		want.AdmissionWait = 7 * time.Millisecond
		if got := parsed(t, "[region]\nadmission_wait = '7ms'\npreset = '"+name+"'\n").Policy(); got != want {
			t.Errorf("%s with another wait is %+v", name, got)
		}
	}
	if got := parsed(t, "").Policy(); got != cacheaside.BalancedPolicy() {
		t.Errorf("an empty file has %+v", got)
	}
}

func TestAnActionAndNoWaitAreWrittenInWords(t *testing.T) {
	t.Parallel()
	got := parsed(t, "[region]\nincompatible = 'quarantine-and-reload'\nfuture = 'load-only'\ncorrupt = 'fail-fast'\nserve_stale.refresh_wait = 'dont-wait'\n").Policy()
	if got.Incompatible != cacheaside.QuarantineAndReload || got.Future != cacheaside.LoadOnly || got.Corrupt != cacheaside.FailFast ||
		got.ServeStale.RefreshWait != cacheaside.DontWait {
		t.Errorf("got %+v", got)
	}
}

// service is a value for each field outside of the policy, that no default has, and what it must lead to.
func service() map[string]struct {
	text    string
	reaches func(s sim.Setup) bool
} {
	type row = struct {
		text    string
		reaches func(s sim.Setup) bool
	}
	return map[string]row{
		"ttl.soft":             {"'7s'", func(s sim.Setup) bool { return s.TTL.Soft == 7*time.Second }},
		"ttl.hard":             {"'70s'", func(s sim.Setup) bool { return s.TTL.Hard == 70*time.Second }},
		"ttl.negative":         {"'8s'", func(s sim.Setup) bool { return s.TTL.Negative == 8*time.Second }},
		"ttl.jitter":           {"0.33", func(s sim.Setup) bool { return s.Jitter == 0.33 }},
		"users.rate":           {"123", func(s sim.Setup) bool { return s.Rate == 123 }},
		"users.nodes":          {"7", func(s sim.Setup) bool { return s.Nodes == 7 }},
		"users.keys":           {"50", func(s sim.Setup) bool { return s.Keys.Keys() == 50 && s.Churn.Keys == 50 && s.Churn.Hottest == 5 }},
		"users.zipf":           {"0", func(s sim.Setup) bool { return s.Keys.Share(0) < 1.01/20_000 }},
		"users.deadline":       {"'321ms'", func(s sim.Setup) bool { return s.Deadline == 321*time.Millisecond }},
		"users.calls":          {"5", func(s sim.Setup) bool { return s.Tries == 5 }},
		"users.retry_failures": {"true", func(s sim.Setup) bool { return s.RetryFailures }},
		"users.absent":         {"0.5", func(s sim.Setup) bool { return absentOf(s, 1000) == 500 }},
		"users.churn": {"0.25", func(s sim.Setup) bool {
			return s.Churn.Part == 0.25 && s.Churn.Hottest == 2000 && s.Churn.Keys == 20_000
		}},
		"source.workers":         {"9", func(s sim.Setup) bool { return s.Source.Workers == 9 }},
		"source.mean":            {"'11ms'", func(s sim.Setup) bool { return s.Source.Mean == 11*time.Millisecond }},
		"source.sigma":           {"0.25", func(s sim.Setup) bool { return s.Source.Sigma == 0.25 }},
		"source.drops_abandoned": {"true", func(s sim.Setup) bool { return s.Source.DropsAbandoned }},
		"store.trip":             {"'2ms'", func(s sim.Setup) bool { return s.Store.Trip == 2*time.Millisecond }},
		"run.length":             {"'44s'", func(s sim.Setup) bool { return s.Length == 44*time.Second }},
		"run.warm_up":            {"'3s'", func(s sim.Setup) bool { return s.WarmUp == 3*time.Second }},
		"run.seed":               {"77", func(s sim.Setup) bool { return s.Seed == 77 }},
	}
}

func absentOf(s sim.Setup, keys uint64) (n int) {
	for key := range keys {
		if s.Absent != nil && s.Absent(key) {
			n++
		}
	}
	return n
}

func TestEveryFieldOfTheServiceReachesTheRun(t *testing.T) {
	t.Parallel()
	usual := parsed(t, "").Setup()
	for name, row := range service() {
		section, field, _ := strings.Cut(name, ".")
		if row.reaches(usual) {
			t.Errorf("%s: the default is what is looked for", name)
		}
		if !row.reaches(parsed(t, fmt.Sprintf("[%s]\n%s = %s\n", section, field, row.text)).Setup()) {
			t.Errorf("%s = %s does not reach the setup", name, row.text)
		}
	}
}

// Every parameter of a report is a field of a file, so that none is left out of the tables of these tests.
func TestEveryFieldIsListedAndTriedOut(t *testing.T) {
	t.Parallel()
	tried := []string{"region.name", "region.preset", "run.compare"}
	for name := range service() {
		tried = append(tried, name)
	}
	for _, l := range leavesOf(reflect.TypeFor[cacheaside.Policy](), nil, "region.") {
		tried = append(tried, l.name)
	}
	var listed []string
	for _, p := range parsed(t, "").Conclude(nil).Parameters {
		listed = append(listed, p.Name)
	}
	slices.Sort(tried)
	slices.Sort(listed)
	if !slices.Equal(tried, listed) {
		t.Errorf("tried are\n%v\nlisted are\n%v", tried, listed)
	}
}

func TestAnEmptyFileIsTheLabsOwnService(t *testing.T) {
	t.Parallel()
	got, want := parsed(t, "").Setup(), sim.Default(1)
	for key := range uint64(40_000) {
		if got.Absent(key) != want.Absent(key) {
			t.Fatalf("key %d has a row here and not there", key)
		}
	}
	if got.Keys.Keys() != want.Keys.Keys() || got.Keys.Share(3) != want.Keys.Share(3) {
		t.Error("other keys")
	}
	got.Churn.Hottest, got.Churn.Keys = 0, 0 // say nothing without a part
	got.Keys, got.Absent, want.Absent = want.Keys, nil, nil
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestTheFlagsWinOverTheFile(t *testing.T) {
	t.Parallel()
	config := parsed(t, "[users]\nnodes = 3\n[run]\nseed = 5\nlength = '50s'\n[[fault]]\nkind = 'source-down'\nfrom = '10s'\nto = '30s'\n")
	plain := config.Under(scenario.Options{}).Setup()
	if plain.Seed != 5 || plain.Nodes != 3 || plain.Length != 50*time.Second {
		t.Errorf("without flags: %+v", plain)
	}
	flagged := config.Under(scenario.Options{Seed: 6, Nodes: 2, Length: 45 * time.Second}).Setup()
	if flagged.Seed != 6 || flagged.Nodes != 2 || flagged.Length != 45*time.Second {
		t.Errorf("with flags: %+v", flagged)
	}
	if short := config.Under(scenario.Options{Length: time.Second}).Setup().Length; short != 40*time.Second {
		t.Errorf("a run with a fault until 30 s lasts %v", short)
	}
}
