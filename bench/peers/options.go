package main

import (
	"flag"
	"fmt"
	"io"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/cacheaside/resilience/bench/internal/live"
	"github.com/cacheaside/resilience/bench/peers/internal/adapters"
	"github.com/cacheaside/resilience/bench/peers/internal/correctness"
	"github.com/cacheaside/resilience/bench/peers/internal/scenarios"
)

// options is what the command line asks for.
type options struct {
	command     string // as typed
	out         string // a directory for the report; "" is none
	addr        string // of a Redis; "" starts one for each experiment
	list        bool
	parallel    int
	peers       []adapters.Peer
	experiments []correctness.Experiment
	scenarios   []live.Listed
	nodes       int
	seed        uint64
	duration    time.Duration
}

const (
	maxParallel     = 64
	maxNodes        = 64
	maxDuration     = 5 * time.Minute
	defaultNodes    = 2
	defaultDuration = scenarios.ShortestDuration

	all  = "all"
	none = "none"
)

// parse reads the arguments; what is wrong with them is an error of one line.
func parse(args []string, usage io.Writer) (options, error) {
	o := options{command: strings.Join(append([]string{"go run ./bench/peers"}, args...), " ")}
	flags := flag.NewFlagSet("peers", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	redis := flags.String("redis", "auto", "auto starts redis-servers with the one on PATH; else redis://host:port")
	libraries := flags.String("libraries", all, "only these `ids`, as -list names them, with commas between them")
	experiments := flags.String("experiments", all, "only these `ids` of the table, as -list names them, with commas between them, or none")
	wanted := flags.String("scenario", all, "only these live `ids`, as -list names them, with commas between them, or none")
	flags.DurationVar(&o.duration, "duration", defaultDuration, "how long each run of a live scenario under load lasts")
	flags.Uint64Var(&o.seed, "seed", 1, "of arrivals, keys and service times of live scenarios")
	flags.IntVar(&o.nodes, "nodes", defaultNodes, "how many processes read in live scenarios at most")
	flags.StringVar(&o.out, "out", "", "write report.html, results.json and plots into this `directory`")
	flags.BoolVar(&o.list, "list", false, "list the libraries, their versions, the experiments and the scenarios, and measure nothing")
	flags.IntVar(&o.parallel, "parallel", 4, "experiments at once; one after another on a Redis that others use too")
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
	if o.addr, err = address(*redis); err != nil {
		return o, err
	}
	if o.addr != "" {
		o.parallel = min(o.parallel, 1) // else one experiment could take another's entry for its own
	}
	if err := o.validate(); err != nil {
		return o, err
	}
	return o, o.choose(*libraries, *experiments, *wanted)
}

// validate checks the numbers.
func (o options) validate() error {
	switch {
	case o.parallel < 1 || o.parallel > maxParallel:
		return fmt.Errorf("-parallel is %d, must be 1 to %d", o.parallel, maxParallel)
	case o.nodes < 1 || o.nodes > maxNodes:
		return fmt.Errorf("-nodes is %d, must be 1 to %d", o.nodes, maxNodes)
	case o.duration < scenarios.ShortestDuration || o.duration > maxDuration:
		return fmt.Errorf("-duration is %v, must be %v to %v", o.duration, scenarios.ShortestDuration, maxDuration)
	}
	return nil
}

// choose keeps what the lists name.
func (o *options) choose(libraries, experiments, wanted string) (err error) {
	if experiments == none && wanted == none {
		return fmt.Errorf("-experiments none and -scenario none leave nothing to measure")
	}
	if o.peers, err = pick(libraries, "-libraries", adapters.Peers(adapters.Place{Addr: o.addr}), func(p adapters.Peer) string { return p.ID }); err != nil {
		return err
	}
	if experiments != none {
		o.experiments, err = pick(experiments, "-experiments", correctness.Experiments(), func(e correctness.Experiment) string { return e.ID })
		if err != nil {
			return err
		}
	}
	if wanted != none {
		o.scenarios, err = pick(wanted, "-scenario", scenarios.List(), func(s live.Listed) string { return s.ID })
	}
	return err
}

// address takes the host and port out of a URL; "auto" has none. No part of a URL gets into an error, for there may be a password in it.
func address(redis string) (string, error) {
	if redis == "auto" {
		return "", nil
	}
	u, err := url.Parse(redis)
	if err != nil || u.Scheme != "redis" || u.Hostname() == "" {
		return "", fmt.Errorf("-redis must be auto or redis://host:port")
	}
	if u.User != nil || u.RawQuery != "" || strings.Trim(u.Path, "/") != "" {
		return "", fmt.Errorf("-redis must be redis://host:port alone: not every library here takes a user, a database or options")
	}
	port := u.Port()
	if port == "" {
		port = "6379"
	}
	return net.JoinHostPort(u.Hostname(), port), nil
}

// pick keeps those known that a list names; "all" names them all, and so does an empty list.
func pick[T any](list, flagName string, known []T, name func(T) string) ([]T, error) {
	if list == "" || list == all {
		return known, nil
	}
	wanted := strings.Split(list, ",")
	var names []string
	for _, x := range known {
		names = append(names, name(x))
	}
	for _, w := range wanted {
		if !slices.Contains(names, w) {
			return nil, fmt.Errorf("%s names %q, which is none of %s", flagName, w, strings.Join(names, ", "))
		}
	}
	return slices.DeleteFunc(known, func(x T) bool { return !slices.Contains(wanted, name(x)) }), nil
}
