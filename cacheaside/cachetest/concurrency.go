package cachetest

import (
	"sync"

	"github.com/cacheaside/resilience/cacheaside"
)

const rivals = 20

func concurrencyAssertions() []Assertion {
	return []Assertion{
		assertion("of twenty observed replaces of one stale value exactly one is applied", checkRivalReplaces),
		assertion("of twenty fills of one absent key exactly one is applied", checkRivalFills),
	}
}

func checkRivalReplaces(p *probe) {
	stale := p.seedStale(key, value(-1))
	p.wantOneWinner(stale.Observation)
}

func checkRivalFills(p *probe) {
	p.wantMiss(p.look(key), cacheaside.MissAbsent, "an absent key")
	p.wantOneWinner(onlyIfAbsent)
}

// wantOneWinner lets every rival record a number of its own at the same moment, at both instances where there are two.
func (p *probe) wantOneWinner(seen cacheaside.Observation) {
	p.Helper()
	instances := []cache{p.subject.Cache}
	if p.subject.Second != nil {
		instances = append(instances, p.subject.Second)
	}
	outcomes := make([]cacheaside.RecordOutcome, rivals)
	start := make(chan struct{})
	var running sync.WaitGroup
	for i := range rivals {
		running.Go(func() {
			<-start
			condition := cacheaside.Condition{Observation: seen}
			outcomes[i] = instances[i%len(instances)].Record(p.Context(), key, value(int64(i)), condition)
		})
	}
	close(start)
	running.Wait()

	winner, applied := 0, 0
	for i, outcome := range outcomes {
		if outcome.Certainty == cacheaside.RecordApplied {
			winner = i
			applied++
			continue
		}
		p.wantRefused(outcome, cacheaside.RecordConditionFailed, "the record of a rival")
	}
	if applied != 1 {
		p.Fatalf("%d of %d rivals are told that their record is applied, want 1", applied, rivals)
	}
	p.wantFresh(key, value(int64(winner)), "the value of the one that was applied")
}
