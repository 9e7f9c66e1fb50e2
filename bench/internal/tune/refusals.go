package tune

import (
	"fmt"
	"time"

	"github.com/cacheaside/resilience/bench/internal/result"
	"github.com/cacheaside/resilience/cacheaside"
)

// admissionTimeouts: more than one call in a thousand was refused with AdmissionTimeout.
func admissionTimeouts(c Config, run result.Run) string {
	n := run.Reasons[cacheaside.ReasonAdmissionTimeout.String()]
	if !many(n, run.Attempts) {
		return ""
	}
	permits, _ := c.permits(Mine)
	workers := int64(c.setup.Source.Workers)
	limit := fmt.Sprintf("The source has %d workers and the nodes have %d permits: more of them would move the queue to the source, not shorten it.", workers, permits)
	if each := workers / int64(c.setup.Nodes); each > int64(c.policy.SourceConcurrency) {
		limit = fmt.Sprintf("The source has %d workers and the nodes have %d permits: source_concurrency up to %d would use more of them.", workers, permits, each)
	}
	room := c.setup.Deadline - c.setup.Source.Mean - c.setup.Store.Trip - c.policy.AdmissionWait
	wait := fmt.Sprintf("A longer wait would outlive the callers' deadline of %v.", c.setup.Deadline)
	if room > 0 {
		wait = fmt.Sprintf("Callers with a deadline of %v could wait %v longer.", c.setup.Deadline, room.Round(time.Millisecond))
	}
	stale := ""
	if !c.policy.ServeStale.OnRejected && c.staleHelps() {
		stale = "serve_stale.on_rejected would answer those of them that have a stale value."
	}
	return sentences(fmt.Sprintf("AdmissionWait %v refused %s: no permit of the source came free in time.", c.policy.AdmissionWait, counted(n, run)), limit, wait, stale)
}

// waitersFull: more than one call in a thousand was refused with WaitersFull.
func waitersFull(c Config, run result.Run) string {
	n := run.Reasons[cacheaside.ReasonWaitersFull.String()]
	if !many(n, run.Attempts) {
		return ""
	}
	longest := c.policy.AdmissionWait + c.policy.LoadDeadline
	hottest := c.held(new(hold)).Keys.Share(0)
	gather := c.setup.Rate / float64(c.setup.Nodes) * hottest * longest.Seconds()
	return fmt.Sprintf(
		"MaxWaitersPerKey %d refused %s: a key had more callers than that behind one load. The hottest key takes %s of the requests, so that about %.0f of its callers, their retries not counted, gather on a node in AdmissionWait + LoadDeadline (%v).",
		c.policy.MaxWaitersPerKey, counted(n, run), percent(hottest), gather, longest)
}

// keysFull: more than one call in a thousand was refused with KeysFull.
func keysFull(c Config, run result.Run) string {
	n := run.Reasons[cacheaside.ReasonKeysFull.String()]
	if !many(n, run.Attempts) {
		return ""
	}
	return fmt.Sprintf(
		"MaxInFlightKeys %d refused %s: so many keys of a node were being loaded or waited for one of its %d permits. More keys cost memory and never reach the source at once; a shorter AdmissionWait (%v) ends the waiting sooner.",
		c.policy.MaxInFlightKeys, counted(n, run), c.policy.SourceConcurrency, c.policy.AdmissionWait)
}

// loadDeadlines: more than one call in a thousand was refused with LoadDeadline or Overdue.
func loadDeadlines(c Config, run result.Run) string {
	ended, overdue := run.Reasons[cacheaside.ReasonLoadDeadline.String()], run.Reasons[cacheaside.ReasonOverdue.String()]
	if !many(ended+overdue, run.Attempts) {
		return ""
	}
	worst := c.setup.Source.Mean
	for _, t := range c.troubles {
		if t.kind.amount == "factor" {
			worst = max(worst, time.Duration(float64(c.setup.Source.Mean)*t.amount))
		}
	}
	stale := ""
	if !c.policy.ServeStale.OnDeadline && c.staleHelps() {
		stale = "serve_stale.on_deadline would answer those of them that have a stale value."
	}
	return sentences(fmt.Sprintf(
		"LoadDeadline %v refused %s, %d of them because earlier loads of their key still ran. A load takes %v on average, %v in the worst fault, and as many as %d were at the source's %d workers at once.",
		c.policy.LoadDeadline, counted(ended+overdue, run), overdue, c.setup.Source.Mean, worst, run.SourceOutstanding, c.setup.Source.Workers), stale)
}

// backoffs: more than one call in a thousand was refused with SourceBackoff.
func backoffs(c Config, run result.Run) string {
	n := run.Reasons[cacheaside.ReasonSourceBackoff.String()]
	if !many(n, run.Attempts) {
		return ""
	}
	return fmt.Sprintf(
		"FailureBackoff %v refused %s: the source had just failed for their key, and they had no stale value to take. It asked the source %d times in all; a shorter one asks more often.",
		c.policy.FailureBackoff, counted(n, run), run.SourceCalls)
}

// sourceFailures: more than one call in a thousand failed with the source's own transient failure.
func sourceFailures(c Config, run result.Run) string {
	n := run.Reasons["source"]
	switch {
	case !many(n, run.Attempts):
		return ""
	case !c.policy.ServeStale.OnTransient && c.staleHelps():
		return fmt.Sprintf("The source failed %s, and serve_stale.on_transient is off: it would answer those of them that have a stale value.", counted(n, run))
	}
	longest := time.Duration(0)
	for _, t := range c.troubles {
		if t.kind.store == 0 {
			longest = max(longest, t.to-t.from)
		}
	}
	short := ""
	if stretch := c.setup.TTL.Hard - c.setup.TTL.Soft; stretch < longest {
		short = fmt.Sprintf("A value is stale for %v (ttl.hard less ttl.soft), and the longest fault at the source lasts %v.", stretch, longest)
	}
	return sentences(fmt.Sprintf("The source failed %s that had no stale value to take.", counted(n, run)), short)
}
