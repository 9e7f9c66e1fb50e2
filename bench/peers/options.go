package main

import (
	"flag"
	"fmt"
	"io"
	"net"
	"net/url"
	"slices"
	"strings"

	"github.com/cacheaside/resilience/bench/peers/internal/adapters"
	"github.com/cacheaside/resilience/bench/peers/internal/correctness"
)

// options is what the command line asks for.
type options struct {
	command     string // as typed
	out         string // a directory for peers.json; "" is none
	addr        string // of a Redis; "" starts one for each experiment
	list        bool
	parallel    int
	peers       []adapters.Peer
	experiments []correctness.Experiment
}

const maxParallel = 64

// parse reads the arguments; what is wrong with them is an error of one line.
func parse(args []string, usage io.Writer) (options, error) {
	o := options{command: strings.Join(append([]string{"go run ./bench/peers"}, args...), " ")}
	flags := flag.NewFlagSet("peers", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	redis := flags.String("redis", "auto", "auto starts the redis-server on PATH for each experiment; else redis://host:port")
	libraries := flags.String("libraries", "", "only these, as -list names them, with commas between them")
	experiments := flags.String("experiments", "", "only these, as -list names them, with commas between them")
	flags.StringVar(&o.out, "out", "", "write peers.json into this `directory`")
	flags.BoolVar(&o.list, "list", false, "list the libraries, their versions and the experiments, and measure nothing")
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
	if o.parallel < 1 || o.parallel > maxParallel {
		return o, fmt.Errorf("-parallel is %d, must be 1 to %d", o.parallel, maxParallel)
	}
	if o.addr, err = address(*redis); err != nil {
		return o, err
	}
	if o.addr != "" {
		o.parallel = 1 // else one experiment could take another's entry for its own
	}
	if o.peers, err = pick(*libraries, "-libraries", adapters.Peers(o.addr), func(p adapters.Peer) string { return p.ID }); err != nil {
		return o, err
	}
	o.experiments, err = pick(*experiments, "-experiments", correctness.Experiments(), func(e correctness.Experiment) string { return e.ID })
	return o, err
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

// pick keeps those of all that a list names; an empty list names all.
func pick[T any](list, flagName string, all []T, name func(T) string) ([]T, error) {
	if list == "" {
		return all, nil
	}
	wanted := strings.Split(list, ",")
	var known []string
	for _, x := range all {
		known = append(known, name(x))
	}
	for _, w := range wanted {
		if !slices.Contains(known, w) {
			return nil, fmt.Errorf("%s names %q, which is none of %s", flagName, w, strings.Join(known, ", "))
		}
	}
	return slices.DeleteFunc(all, func(x T) bool { return !slices.Contains(wanted, name(x)) }), nil
}
