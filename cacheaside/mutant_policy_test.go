package cacheaside_test

import (
	"errors"
	"testing"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

func TestEveryBoundOfAPolicyIsTakenAtItsVeryEnd(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*cacheaside.Policy){
		"as many keys as loaders": func(p *cacheaside.Policy) { p.MaxInFlightKeys = p.SourceConcurrency },
		"one of each": func(p *cacheaside.Policy) {
			p.MaxInFlightKeys, p.SourceConcurrency, p.MaxOverduePerKey, p.MaxWaitersPerKey = 1, 1, 1, 0
		},
		"every permit may be overdue": func(p *cacheaside.Policy) { p.MaxOverduePerKey = p.SourceConcurrency },
		"the most of all": func(p *cacheaside.Policy) {
			p.MaxInFlightKeys, p.MaxWaitersPerKey, p.SourceConcurrency, p.MaxOverduePerKey = 1<<20, 1<<20, 1<<20, 1<<20
		},
		"the longest waits": func(p *cacheaside.Policy) {
			day := 24 * time.Hour
			p.AdmissionWait, p.LoadDeadline, p.RecordWait, p.FailureBackoff, p.ServeStale.RefreshWait = day, day, day, day, day
		},
		"the last of each choice": func(p *cacheaside.Policy) {
			p.Coordination, p.Held, p.HeldWait = cacheaside.Fleet, cacheaside.HeldLoad, 24*time.Hour
		},
		"no wait for other processes": func(p *cacheaside.Policy) { p.HeldWait = cacheaside.DontWait },
		"the shortest waits": func(p *cacheaside.Policy) {
			p.AdmissionWait, p.LoadDeadline, p.RecordWait, p.FailureBackoff, p.ServeStale.RefreshWait = 0, 1, 0, 0, 0
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := cacheaside.StrictPolicy()
			change(&p)
			if err := p.Validate(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestABoundOfOneIsHeldAgainstTheOthersLikeAnyOther(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		field, rule string
		change      func(*cacheaside.Policy)
	}{
		{"MaxInFlightKeys", "must be at least SourceConcurrency", func(p *cacheaside.Policy) {
			p.MaxInFlightKeys, p.SourceConcurrency, p.MaxOverduePerKey = 1, 2, 2
		}},
		{"MaxOverduePerKey", "must be at most SourceConcurrency", func(p *cacheaside.Policy) {
			p.MaxInFlightKeys, p.SourceConcurrency, p.MaxOverduePerKey = 1, 1, 2
		}},
	} {
		t.Run(row.field, func(t *testing.T) {
			t.Parallel()
			p := cacheaside.StrictPolicy()
			row.change(&p)
			var fault *cacheaside.FieldError
			if err := p.Validate(); !errors.As(err, &fault) || fault.Field != row.field || fault.Rule != row.rule {
				t.Errorf("got %v", err)
			}
		})
	}
}
