package main

import (
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/internal/live"
	"github.com/cacheaside/resilience/bench/internal/scenario"
)

// options is what the command line asks for.
type options struct {
	command    string // as typed
	list       bool
	full       bool
	mode       string
	scenarios  []string // in order; never empty
	contenders []contender.Contender
	named      bool // the contenders were chosen by -policy
	redis      string
	nodes      int
	seed       uint64
	seeded     bool // by the flag
	length     time.Duration
	out        string
	config     string
}

const (
	modeSim  = "sim"
	modeLive = "live"

	defaultOut = "stampede-report"
	maxNodes   = 64
	minLength  = time.Second
	maxLength  = 24 * time.Hour
)

// parse reads the arguments; what is wrong with them is an error of one line.
func parse(args []string, usage io.Writer) (options, error) {
	o := options{command: masked(strings.Join(append([]string{"go run ./bench"}, args...), " "))}
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.BoolVar(&o.list, "list", false, "list the scenarios and the policies, and run nothing")
	flags.BoolVar(&o.full, "full", false, "run every variant and policy, and the fine map: takes many minutes")
	scenarios, policies := idList{"all"}, idList{"all"}
	flags.Var(&scenarios, "scenario", "only these `ids`, as -list names them, with commas between them")
	flags.Var(&policies, "policy", "only these `ids`, with commas between them")
	flags.StringVar(&o.mode, "mode", "", "sim for virtual time, live for a real Redis and processes; sim where nothing else asks for live")
	flags.StringVar(&o.redis, "redis", "", "for live: auto starts the redis-server on PATH, else the `URL` of a Redis")
	flags.IntVar(&o.nodes, "nodes", 0, "how many processes read; 0 leaves each scenario its own")
	flags.Uint64Var(&o.seed, "seed", 1, "of all that is random; a file of -config may have its own")
	flags.DurationVar(&o.length, "duration", 0, "how long each run over time lasts, never shorter than its trouble and ten seconds; 0 leaves each its own")
	flags.StringVar(&o.out, "out", defaultOut, "the `directory` for report.html, results.json and plots")
	flags.StringVar(&o.config, "config", "", "run the policy and the workload of this TOML `file` in virtual time, and nothing else")
	err := flags.Parse(args)
	if err == flag.ErrHelp { //nolint:errorlint // Parse returns it as it is
		flags.SetOutput(usage)
		flags.Usage()
		return o, err
	}
	if err != nil {
		return o, fmt.Errorf("%w; -help lists the flags", err)
	}
	if flags.NArg() > 0 {
		return o, fmt.Errorf("argument %q is not a flag; -help lists them", flags.Arg(0))
	}
	flags.Visit(func(f *flag.Flag) {
		o.seeded = o.seeded || f.Name == "seed"
		if f.Value.String() == "" && err == nil { // as where a variable of a shell is not set
			err = fmt.Errorf("-%s is empty; leave it out or give it a value", f.Name)
		}
	})
	if err != nil {
		return o, err
	}
	return o, o.settle(scenarios.text, policies.text)
}

// settle checks what the flags say together.
func (o *options) settle(scenarios, policies string) error {
	switch {
	case o.nodes < 0 || o.nodes > maxNodes:
		return fmt.Errorf("-nodes is %d, must be 0 to %d", o.nodes, maxNodes)
	case o.length != 0 && (o.length < minLength || o.length > maxLength):
		return fmt.Errorf("-duration is %v, must be %v to %v", o.length, minLength, maxLength)
	case !slices.Contains([]string{"", modeSim, modeLive}, o.mode):
		return fmt.Errorf("-mode is %q, must be %s or %s", o.mode, modeSim, modeLive)
	case o.redis != "" && o.mode == modeSim:
		return fmt.Errorf("-redis is for -mode %s, and -mode is %s", modeLive, modeSim)
	case o.config != "" && (o.mode == modeLive || o.redis != "" || scenarios != "all"):
		return fmt.Errorf("-config runs in virtual time and by itself: leave out -mode live, -redis and -scenario")
	}
	o.settleMode(scenarios)
	if o.mode == modeLive && o.length > live.LongestRun {
		return fmt.Errorf("-duration is %v, must be %v to %v for -mode %s", o.length, minLength, live.LongestRun, modeLive)
	}
	known := simulated()
	if o.mode == modeLive {
		known = lively()
	}
	var err error
	if o.scenarios, err = pick("-scenario", scenarios, known, " of -mode "+o.mode); err != nil {
		return err
	}
	var ids []string
	for _, c := range contender.All() {
		ids = append(ids, c.ID)
	}
	chosen, err := pick("-policy", policies, ids, "")
	if err != nil {
		return err
	}
	o.named = policies != "all"
	o.contenders = slices.DeleteFunc(contender.All(), func(c contender.Contender) bool { return !slices.Contains(chosen, c.ID) })
	return nil
}

// settleMode takes live where it is asked for by another flag: by an address, or by a scenario that exists only there.
func (o *options) settleMode(scenarios string) {
	if o.mode == "" {
		o.mode = modeSim
		wanted := split(scenarios)
		onlyLive := scenarios != "all" && !slices.ContainsFunc(wanted, func(id string) bool {
			return slices.Contains(simulated(), id) || !slices.Contains(lively(), id)
		})
		if o.redis != "" || onlyLive {
			o.mode = modeLive
		}
	}
	if o.mode == modeLive && o.redis == "" {
		o.redis = live.Auto
	}
}

func simulated() []string {
	var ids []string
	for _, s := range scenario.All() {
		ids = append(ids, s.ID)
	}
	return append(ids, scenario.MapID)
}

func lively() []string {
	var ids []string
	for _, s := range live.List() {
		ids = append(ids, s.ID)
	}
	return ids
}

// size is how much is run.
func (o options) size() scenario.Size {
	if o.full {
		return scenario.Full
	}
	return scenario.Short
}
