// Package tune runs a user's own policy on a model of the user's own service, in virtual time, so that a region is tuned before it is deployed. A
// TOML file says what the region, its users, its source and its store are like and what goes wrong with them; what it leaves out is the lab's. Of
// the run come the figures, what must hold of them whatever the policy, and advice, each piece of which has a figure behind it.
//
// # What a file may hold
//
//	[region]  name, preset (strict, balanced or survive), and every field of cacheaside.Policy in snake case, stale rules in
//	          [region.serve_stale]; refresh_wait may be "dont-wait"; actions by name, "FailFast" or "fail-fast"
//	[ttl]     soft, hard, negative, jitter
//	[users]   rate, nodes, keys, zipf, deadline, calls, retry_failures, absent, churn
//	[source]  workers, mean, sigma, drops_abandoned
//	[store]   trip
//	[[fault]] kind, from, to; factor or part where the kind has one
//	[run]     length, warm_up, seed, compare
//
// Durations are strings such as "250ms". Reading is strict: every mistake is found at once and named by file, line, field, value and rule.
package tune
