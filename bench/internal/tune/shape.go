package tune

import (
	"fmt"
	"time"

	"github.com/cacheaside/resilience/bench/internal/result"
	"github.com/cacheaside/resilience/cacheaside/memory"
	"github.com/cacheaside/resilience/redisadapter"
)

const (
	busy     = 0.8 // of the source's capacity
	repeated = 1.5 // calls of a request
)

// busyInPeace: with nothing wrong yet, the source is asked for 80 % of what it can do, or more.
func busyInPeace(c Config, run result.Run) string {
	calls, seconds := int64(0), 0
	for n, second := range run.Seconds {
		if from := time.Duration(n) * time.Second; len(c.troubles) == 0 || from+time.Second <= c.trigger().From {
			calls += second.SourceCalls
			seconds++
		}
	}
	if seconds == 0 || float64(calls)/float64(seconds) < busy*c.capacity() {
		return ""
	}
	rate := float64(calls) / float64(seconds)
	return fmt.Sprintf("The source is asked for %s loads a second with nothing wrong, %s of what it can do (%s): nothing is left for trouble. A longer ttl.soft (%v), or more workers, makes room.",
		figure(rate), percent(rate/c.capacity()), figure(c.capacity()), c.setup.TTL.Soft)
}

// queueAtTheSource: the permits of all nodes are more than the source has workers, and more loads than those were there at once.
func queueAtTheSource(c Config, run result.Run) string {
	permits, _ := c.permits(Mine)
	workers := c.setup.Source.Workers
	queue := run.SourceOutstanding - workers
	if permits <= int64(workers) || queue <= 0 {
		return ""
	}
	waits := time.Duration(float64(queue) / c.capacity() * float64(time.Second))
	return fmt.Sprintf(
		"The %d permits of %d nodes are more than the %d workers of the source, and as many as %d loads were there at once: %d of them queued at the source, about %v of its work, which counts against LoadDeadline (%v) and not against AdmissionWait (%v). source_concurrency %d keeps the queue on the nodes.",
		permits, c.setup.Nodes, workers, run.SourceOutstanding, queue, waits.Round(time.Millisecond), c.policy.LoadDeadline, c.policy.AdmissionWait, max(1, workers/c.setup.Nodes))
}

// givenUp: more loads were at the source at once than the nodes have permits.
func givenUp(c Config, run result.Run) string {
	permits, _ := c.permits(Mine)
	if int64(run.SourceOutstanding) <= permits {
		return ""
	}
	return fmt.Sprintf("As many as %d loads were at the source at once, and the nodes have %d permits: LoadDeadline %v ended loads whose work went on there, %d in vain. A deadline above the slowest load, or a source that stops with its caller (drops_abandoned), keeps the two alike.",
		run.SourceOutstanding, permits, c.policy.LoadDeadline, run.SourceWasted)
}

// softBelowLoad: with jitter a value may be stale before a load of mean length would have replaced it.
func softBelowLoad(c Config, run result.Run) string {
	shortest := shortened(c.setup.TTL.Soft, c.setup.Jitter)
	if shortest > c.setup.Source.Mean {
		return ""
	}
	return fmt.Sprintf("A value is fresh for %v at least (ttl.soft %v less its jitter), and a load takes %v on average: hot keys are loaded all the time. %s of the calls were hits or stale answers.",
		shortest, c.setup.TTL.Soft, c.setup.Source.Mean, percent(run.HitRatio))
}

// outlived: more than one call in a thousand outlived its caller's deadline, and the policy lets calls wait longer than that.
func outlived(c Config, run result.Run) string {
	n := run.Endings["timed out"]
	longest := c.policy.AdmissionWait + c.policy.LoadDeadline
	if !many(n, run.Attempts) || longest <= c.setup.Deadline {
		return ""
	}
	stale := ""
	if wait := c.policy.ServeStale.RefreshWait; c.staleHelps() && (wait == 0 || wait >= c.setup.Deadline) {
		stale = fmt.Sprintf(`refresh_wait %v lets callers with a stale value wait beyond their deadline; a shorter one, or "dont-wait", answers them in time.`, wait)
	}
	return sentences(fmt.Sprintf("%s outlived their deadline of %v: a call may wait AdmissionWait + LoadDeadline, %v.", counted(n, run), c.setup.Deadline, longest), stale)
}

// retries: users called at least one and a half times for each request.
func retries(_ Config, run result.Run) string {
	if run.Offered == 0 || float64(run.Attempts) < repeated*float64(run.Offered) {
		return ""
	}
	return fmt.Sprintf("Users made %s calls for each request: their retries are load that the region carries beside its own.", figure(float64(run.Attempts)/float64(run.Offered)))
}

// shortEntries: an entry may be gone while a load that began before it is still allowed to write.
func shortEntries(c Config, _ result.Run) string {
	field, life := "ttl.hard", c.setup.TTL.Hard
	if c.setup.TTL.Negative < life {
		field, life = "ttl.negative", c.setup.TTL.Negative
	}
	shortest := shortened(life, c.setup.Jitter)
	if shortest > c.window() {
		return ""
	}
	return fmt.Sprintf("An entry may live for %v only (%s %v less its jitter), and a load may write %v after its lookup (%s). A fill from before an invalidation could then be taken: raise it, or set MinHard above that.",
		shortest, field, life, c.window(), c.windowParts())
}

// shortTombstones: the same of the mark that an invalidation leaves, at its default life.
func shortTombstones(c Config, _ result.Run) string {
	if c.window() < memory.DefaultTombstone {
		return ""
	}
	return fmt.Sprintf("A tombstone lives for %v by default, and a load may write %v after its lookup (%s): set TombstoneTTL above that.",
		memory.DefaultTombstone, c.window(), c.windowParts())
}

// window is the longest from a lookup to the record of a load that follows it, late ones included.
func (c Config) window() time.Duration {
	return redisadapter.DefaultLookupTimeout + c.policy.AdmissionWait + 2*c.policy.LoadDeadline + redisadapter.DefaultRecordTimeout
}

func (c Config) windowParts() string {
	return fmt.Sprintf("LookupTimeout %v + AdmissionWait %v + 2 x LoadDeadline %v + RecordTimeout %v",
		redisadapter.DefaultLookupTimeout, c.policy.AdmissionWait, c.policy.LoadDeadline, redisadapter.DefaultRecordTimeout)
}

func shortened(life time.Duration, jitter float64) time.Duration {
	return time.Duration(float64(life) * (1 - jitter)).Truncate(time.Millisecond)
}
