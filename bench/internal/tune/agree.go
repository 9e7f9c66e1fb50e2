package tune

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

// agree finds values that are each in order and contradict one another.
func (r *reader) agree() {
	c := &r.config
	if ttl := c.setup.TTL; ttl.Soft > ttl.Hard && r.sound("ttl.soft", "ttl.hard") {
		r.against("ttl.soft", ttl.Soft, "must be at most ttl.hard (%v)", ttl.Hard)
	}
	for field, life := range map[string]time.Duration{"ttl.hard": c.setup.TTL.Hard, "ttl.negative": c.setup.TTL.Negative} {
		if most := float64(life) * (1 + c.setup.Jitter); most > float64(longestTTL) && r.sound(field, "ttl.jitter") {
			r.against(field, life, "must be at most %v with its largest jitter, %s", longestTTL, plainly(c.setup.Jitter))
		}
	}
	if c.churn > 0 && c.keys < hottestPart && r.sound("users.keys") {
		r.against("users.churn", plainly(c.churn), "must be 0 for fewer than %d keys, which have no hottest tenth", hottestPart)
	}
	if requests := c.setup.Rate * (c.setup.Length + c.setup.WarmUp).Seconds(); requests > mostRequests && r.sound("run.length", "run.warm_up") {
		r.against("users.rate", plainly(c.setup.Rate), "must leave at most %d requests in run.warm_up and run.length, not %.0f", mostRequests, requests)
	}
}

// sound tells whether nothing is wrong with any of these by itself.
func (r *reader) sound(fields ...string) bool {
	for _, mistake := range r.list {
		if slices.Contains(fields, mistake.Field) {
			return false
		}
	}
	return true
}

// against notes a value at its own line, or at none where the file leaves it out.
func (r *reader) against(field string, value any, rule string, with ...any) {
	r.add(r.config.set[field], field, r.by(field, fmt.Sprint(value), "default"), fmt.Sprintf(rule, with...))
}

// by says where a value is from that the file does not set.
func (r *reader) by(field, value, otherwise string) string {
	if _, set := r.config.set[field]; set {
		return value
	}
	return value + " by " + otherwise
}

// validate holds the policy to its own rules.
func (r *reader) validate() {
	for _, err := range parts(r.config.policy.Validate()) {
		fault, ok := errors.AsType[*cacheaside.FieldError](err)
		if !ok {
			r.list = append(r.list, &FileError{File: r.file, Field: "region", Rule: err.Error(), Cause: err})
			continue
		}
		field := "region." + snake(fault.Field)
		r.list = append(r.list, &FileError{
			File: r.file, Line: r.config.set[field], Field: field, Cause: fault,
			Value: r.by(field, fault.Value, "preset "+r.config.preset), Rule: fault.Rule,
		})
	}
}

func parts(err error) []error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok { //nolint:errorlint // what Validate gives is the join itself
		return joined.Unwrap()
	}
	if err != nil {
		return []error{err}
	}
	return nil
}

// snake turns ServeStale.RefreshWait into serve_stale.refresh_wait.
func snake(name string) string {
	steps := strings.Split(name, ".")
	for n, step := range steps {
		steps[n] = strings.ReplaceAll(hyphened(step), "-", "_")
	}
	return strings.Join(steps, ".")
}
