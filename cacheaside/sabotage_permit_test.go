package cacheaside_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

func TestWhoeverWaitsForALoadTakesNoPermit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const permits = 2
		region := newRegion(t, &scripted{}, policy(func(p *cacheaside.Policy) { p.SourceConcurrency, p.MaxOverduePerKey = permits, permits }))
		source := newGate(cacheaside.Loaded("value", ""))
		crowded := crowd(20, region, "crowded", source.load)
		synctest.Wait()
		wantValue(t, get(context.Background(), region, "other", returning(cacheaside.Loaded("other", ""))), cacheaside.StatusLoaded, "other")
		close(source.open)
		crowded.each(func(o outcome) { wantValue(t, o, cacheaside.StatusLoaded, "value") })
	})
}

func TestALoaderThatOutlivesItsDeadlineKeepsItsPermit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const permits = 2
		region := newRegion(t, &scripted{}, policy(func(p *cacheaside.Policy) { p.SourceConcurrency, p.MaxOverduePerKey = permits, permits }))
		hung := newGate(cacheaside.Loaded("late", ""))
		hung.ignoresContext = true
		defer close(hung.open)
		first, second := goGet(context.Background(), region, "a", hung.load), goGet(context.Background(), region, "b", hung.load)
		wantRejected(t, <-first, cacheaside.ReasonLoadDeadline)
		wantRejected(t, <-second, cacheaside.ReasonLoadDeadline)
		<-time.After(time.Minute)
		wantRejected(t, get(context.Background(), region, "c", hung.load), cacheaside.ReasonAdmissionTimeout)
		if _, peak := hung.counts(); peak != permits {
			t.Errorf("%d loaders at once with %d permits", peak, permits)
		}
	})
}
