package redisadapter

import (
	"strconv"
	"time"
)

// Warning names an option of the client that weakens a promise, or an accepted loss, without making it impossible to go on. No field of it holds a
// secret or an address.
type Warning struct {
	// Option is the name of the client's option, or of the field of [Config].
	Option string
	// Value is what it is set to.
	Value string
	// Consequence is what it means, and what to set instead.
	Consequence string
}

// String reads as a line of a log.
func (w Warning) String() string {
	return "redisadapter: " + w.Option + " is " + w.Value + ": " + w.Consequence
}

// clientOptions are the options that the three kinds of client share.
type clientOptions struct {
	maxRetries, dialerRetries              int
	dialTimeout, readTimeout, writeTimeout time.Duration
	poolSize                               int
}

// longDial is the time after which an abandoned dial, which holds a slot of the pool until it ends, is worth a warning.
const longDial = time.Second

func warnings(a admitted, terms clientTerms) []Warning {
	var list []Warning
	add := func(option, value, consequence string) { list = append(list, Warning{option, value, consequence}) }
	o := a.options
	if o.dialerRetries > 1 {
		add("DialerRetries", strconv.Itoa(o.dialerRetries),
			"a dial goes on behind a call that has given up, and holds a slot of the pool; set it to 1")
	}
	if o.dialTimeout > longDial {
		add("DialTimeout", o.dialTimeout.String(), "a dial into a black hole holds a slot of the pool that long; set it to 500ms")
	}
	if a.cloned {
		add("ContextTimeoutEnabled", strconv.FormatBool(a.contextTimeout),
			"the cache goes through a clone of the client, whose hooks, such as tracing, do not see it; set it to true, and no timeout to -2")
	} else {
		if short := o.readTimeout; short > 0 && short < terms.lookup {
			add("ReadTimeout", short.String(), "ends lookups before LookupTimeout, "+terms.lookup.String())
		}
		if short := min(o.readTimeout, o.writeTimeout); short > 0 && short < terms.record {
			add("ReadTimeout, WriteTimeout", short.String(), "ends records before RecordTimeout, "+terms.record.String())
		}
	}
	if o.maxRetries > 0 {
		add("MaxRetries", strconv.Itoa(o.maxRetries),
			"the cache sends each of its commands once, but other users of this client may write twice and be told that they wrote nothing; set it to -1")
	}
	if a.staleOption != "" {
		add(a.staleOption, "true", "replicas answer lookups: what was written or invalidated may not be seen at once, and replaces are refused in vain")
	}
	if a.isRing {
		add("Ring", "accepted", "keys move between servers when one is lost: what was invalidated can come back")
	}
	return list
}
