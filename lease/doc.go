// Package lease is the port of a fenced lease store: exclusive leases on named things, each with a token that only ever grows, for work whose effects
// leave the store.
//
// # Model
//
// A lease is held for a time that the store measures on its own clock. Nothing stops a holder that sleeps past the end of its lease from going on, so a
// lease alone excludes nobody. Its token does: whatever the work writes to compares tokens, and refuses one that is lower than the highest it has seen.
// That is the rule of fencing tokens (M. Kleppmann, "How to do distributed locking", 2016).
//
//	operation                     condition at the store's time                effect                            outcomes
//	Acquire(key, owner, request)  nobody holds it                              the token grows, a lease begins   [Granted] with the token
//	                              this same request holds it                   none                              [Granted] with the same token
//	                              another request holds it                     none                              [Held] by whom, for how long at most
//	Renew(key, token)             the token is the highest, its lease lives    the lease ends later              renewed, or lost and why
//	Release(key, token)           the token is the highest, its lease lives    the lease ends now                released, or lost and why
//	Inspect(key)                                                               none                              live, or unheld with the highest token
//
// # Guarantees
//
// Every [Store] keeps them; the package leasetest holds one to them.
//
//   - Each operation is one atomic step at the store, decided on the store's clock. Durations travel, never points in time: a caller's clock, however
//     wrong, decides nothing.
//   - Of two leases of one key the later has the higher token, after release, expiry, a crash of the store and for another client alike. A token is at
//     least the store's time in microseconds, so that it grows even where a store has lost what it knew, unless its clock went back as well.
//   - A lease ends at its expiry, that instant included, and at MaxHold after its grant, however often it is renewed.
//   - Refusals are values. An error says that there is no decision ([ErrNoDecision]: nothing was changed) or that it is unknown whether there is one
//     ([ErrIndeterminate]). Repeating an Acquire with its [RequestID] is safe after either: it never makes a second grant beside its own.
//   - [Grant.ValidUntil] counts from before the request was sent, on the caller's monotonic clock: the caller's lease is over by then, or earlier than
//     the store's, never later.
//
// # Not guaranteed
//
//   - That a lease excludes a holder who does not look at ValidUntil and whose token nobody compares.
//   - Fairness: whoever asks first after the end has it.
//   - That the monotonic clock of a caller counts while its machine is suspended. On Linux, Go's does not: the token is what holds then.
//
// # Records stay
//
// What keeps the highest token of a key is never deleted, since with it the order of tokens would go. Names of leases therefore belong to a set that does
// not grow for ever: the name of a job, not the number of its run.
package lease
