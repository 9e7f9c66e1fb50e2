package main

// limits says where the results do not hold.
func limits(o options) []string {
	common := []string{
		"A source that drops the work of callers that have left recovers from a slow-down by itself, whatever stands before it; it does not recover so from a flush. The scenario S4 shows both.",
		"A cold key whose source is down cannot be helped by any policy: there is nothing to answer with.",
		"A store that is slow and not away costs this library its hits where LookupTimeout is below the store's time: callers that could have waited would have been answered (S8). A remembered failure holds back the next second's calls only: loads of keys that are asked for more seldom are tried again (S5).",
		"While the store is gone, goodput cannot pass what the source can do, loads that callers share aside.",
		"The bounds are for each process, and without leases (P6, P7) N processes may make N loads of one key. With them (P8) one does; a process that is killed meanwhile leaves the others without a fresh value until its lease has run out (S13).",
		"Permits are each process's own: a fleet of 16 with 32 each may have 512 loads at once. Where that is many times what the source works on, loads are answered after their callers have left, and the store's outage is one of the service (S7, four times the nodes). Divide SourceConcurrency by the fleet.",
		"The breaker learns nothing from callers whose own deadlines are below LookupTimeout: with those, a store that swallows what it is sent is asked by each of them for the whole outage (a note in S7).",
		"Callers that try again at once three times are harsher than well-behaved clients. With one call a user, plain cache-aside survives more: S4 has both.",
		"The plain policies P0 to P5 are written by the authors of this library, as such code is commonly written; a careful team writes better ones. They remember absences, which much such code does not.",
	}
	if o.nodes > 0 || o.length > 0 {
		common = append(common,
			"-nodes or -duration was given. The bounds were found for each scenario's own nodes and times: with others, a check that fails may say that the service is another one, and figures over a whole run are of a shorter or longer one.",
		)
	}
	if o.mode == modeLive {
		return append(common,
			"Live figures are of one machine that runs the users, the nodes, the source and Redis at once, over loopback. Ratios within one run mean something; times in milliseconds mean little elsewhere.",
		)
	}
	return append(common,
		"These are models in virtual time: processor time costs nothing, the network loses nothing unless a fault says so, the store's speed depends on its load in S15 only, and it evicts in a part of S12 only. What saturates a processor cannot be seen here.",
		"Of the Redis adapter only the time limits and the breaker are modelled; fences are those of the in-process cache. The live mode runs it, on a real Redis.",
		"Users are independent of one another and of the answers they get, but for their retries. Real traffic has trends, bursts and sessions.",
	)
}
