package tune

import (
	"fmt"
	"math"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/cacheaside"
)

// section is a table of a file.
type section struct {
	name   string
	fields []field
	tables []section
}

// names gives what a section may hold, for a reader who has written something else.
func (s section) names() (names []string) {
	for _, f := range s.fields {
		names = append(names, f.name)
	}
	for _, t := range s.tables {
		names = append(names, t.name)
	}
	return names
}

const (
	day        = 24 * time.Hour
	longestTTL = 30 * day
	// mostRequests is what a run may hold; more take minutes of a processor, and gigabytes.
	mostRequests = 20_000_000
)

// sections gives everything that a file may hold but its faults. The ranges of the policy are its own.
func sections() []section {
	return []section{
		{name: "region", fields: append([]field{nameField(), presetField()}, policyFields()...), tables: []section{{name: "serve_stale", fields: staleFields()}}},
		{name: "ttl", fields: []field{
			duration("soft", time.Millisecond, longestTTL, func(c *Config) *time.Duration { return &c.setup.TTL.Soft }),
			duration("hard", time.Millisecond, longestTTL, func(c *Config) *time.Duration { return &c.setup.TTL.Hard }),
			duration("negative", time.Millisecond, longestTTL, func(c *Config) *time.Duration { return &c.setup.TTL.Negative }),
			number("jitter", false, 0, 0.5, func(c *Config) *float64 { return &c.setup.Jitter }),
		}},
		{name: "users", fields: []field{
			number("rate", true, 0, 1e6, func(c *Config) *float64 { return &c.setup.Rate }),
			whole("nodes", 1, 256, func(c *Config) *int { return &c.setup.Nodes }),
			whole("keys", 1, 2_000_000, func(c *Config) *int { return &c.keys }),
			number("zipf", false, 0, 5, func(c *Config) *float64 { return &c.zipf }),
			duration("deadline", time.Millisecond, time.Hour, func(c *Config) *time.Duration { return &c.setup.Deadline }),
			whole("calls", 1, 100, func(c *Config) *int { return &c.setup.Tries }),
			truth("retry_failures", func(c *Config) *bool { return &c.setup.RetryFailures }),
			number("absent", false, 0, 1, func(c *Config) *float64 { return &c.absent }),
			number("churn", false, 0, 1, func(c *Config) *float64 { return &c.churn }),
		}},
		{name: "source", fields: []field{
			whole("workers", 1, 100_000, func(c *Config) *int { return &c.setup.Source.Workers }),
			duration("mean", 10*time.Microsecond, time.Hour, func(c *Config) *time.Duration { return &c.setup.Source.Mean }),
			number("sigma", false, 0, 3, func(c *Config) *float64 { return &c.setup.Source.Sigma }),
			truth("drops_abandoned", func(c *Config) *bool { return &c.setup.Source.DropsAbandoned }),
		}},
		{name: "store", fields: []field{
			// A trip takes up to half as much again, which must fit into the 100 ms that a lookup has.
			duration("trip", 0, 60*time.Millisecond, func(c *Config) *time.Duration { return &c.setup.Store.Trip }),
		}},
		{name: "run", fields: []field{
			duration("length", time.Second, time.Hour, func(c *Config) *time.Duration { return &c.setup.Length }),
			duration("warm_up", 0, 10*time.Minute, func(c *Config) *time.Duration { return &c.setup.WarmUp }),
			seedField(), compareField(),
		}},
	}
}

// policyFields are all of cacheaside.Policy but its stale rules.
func policyFields() []field {
	return []field{
		anyWhole("max_in_flight_keys", func(p *cacheaside.Policy) *int { return &p.MaxInFlightKeys }),
		anyWhole("max_waiters_per_key", func(p *cacheaside.Policy) *int { return &p.MaxWaitersPerKey }),
		anyWhole("source_concurrency", func(p *cacheaside.Policy) *int { return &p.SourceConcurrency }),
		anyWhole("max_overdue_per_key", func(p *cacheaside.Policy) *int { return &p.MaxOverduePerKey }),
		anyDuration("admission_wait", func(p *cacheaside.Policy) *time.Duration { return &p.AdmissionWait }),
		anyDuration("load_deadline", func(p *cacheaside.Policy) *time.Duration { return &p.LoadDeadline }),
		anyDuration("record_wait", func(p *cacheaside.Policy) *time.Duration { return &p.RecordWait }),
		anyDuration("failure_backoff", func(p *cacheaside.Policy) *time.Duration { return &p.FailureBackoff }),
		choice("coordination", func(c *Config) *cacheaside.Coordination { return &c.policy.Coordination }, cacheaside.Local, cacheaside.Fleet),
		waiting("held_wait", func(c *Config) *time.Duration { return &c.policy.HeldWait }),
		choice("held", func(c *Config) *cacheaside.HeldAction { return &c.policy.Held }, cacheaside.HeldReject, cacheaside.HeldLoad),
		truth("cancel_abandoned", func(c *Config) *bool { return &c.policy.CancelAbandoned }),
		choice("incompatible", func(c *Config) *cacheaside.EntryAction { return &c.policy.Incompatible }, entryActions()...),
		choice("future", func(c *Config) *cacheaside.EntryAction { return &c.policy.Future }, entryActions()...),
		choice("corrupt", func(c *Config) *cacheaside.EntryAction { return &c.policy.Corrupt }, entryActions()...),
	}
}

func staleFields() []field {
	return []field{
		truth("on_transient", func(c *Config) *bool { return &c.policy.ServeStale.OnTransient }),
		truth("on_rejected", func(c *Config) *bool { return &c.policy.ServeStale.OnRejected }),
		truth("on_deadline", func(c *Config) *bool { return &c.policy.ServeStale.OnDeadline }),
		truth("on_held", func(c *Config) *bool { return &c.policy.ServeStale.OnHeld }),
		waiting("refresh_wait", func(c *Config) *time.Duration { return &c.policy.ServeStale.RefreshWait }),
	}
}

func entryActions() []cacheaside.EntryAction {
	return []cacheaside.EntryAction{cacheaside.FailFast, cacheaside.QuarantineAndReload, cacheaside.LoadOnly}
}

func anyWhole(name string, at func(*cacheaside.Policy) *int) field {
	return whole(name, math.MinInt, math.MaxInt, func(c *Config) *int { return at(&c.policy) })
}

func anyDuration(name string, at func(*cacheaside.Policy) *time.Duration) field {
	return duration(name, math.MinInt64, math.MaxInt64, func(c *Config) *time.Duration { return at(&c.policy) })
}

func seedField() field {
	return field{"seed",
		func(c *Config, value any) string {
			seed, ok := value.(int64)
			if !ok || seed < 1 {
				return "must be a whole number, at least 1"
			}
			c.setup.Seed = uint64(seed)
			return ""
		},
		func(c *Config) string { return fmt.Sprint(c.setup.Seed) },
	}
}

func compareField() field {
	return field{"compare",
		func(c *Config, value any) string {
			list, ok := value.([]any)
			if !ok {
				return `must be an array of contenders, such as ["P0", "P2"]`
			}
			ids := make([]string, 0, len(list))
			for _, one := range list {
				id, _ := one.(string)
				if !known(id) {
					return fmt.Sprintf("must hold contenders of the lab only, of %s; %s is none", all(), written(one))
				}
				for _, other := range ids {
					if other == id {
						return fmt.Sprintf("must hold each contender once; %q is there twice", id)
					}
				}
				ids = append(ids, id)
			}
			c.compare = ids
			return ""
		},
		func(c *Config) string { return fmt.Sprintf("%q", c.compare) },
	}
}

func known(id string) bool {
	for _, c := range contender.All() {
		if c.ID == id {
			return true
		}
	}
	return false
}

// all names the contenders by the first and the last.
func all() string {
	them := contender.All()
	return them[0].ID + " to " + them[len(them)-1].ID
}
