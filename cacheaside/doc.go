// Package cacheaside wraps the reads of a source (a database, a provider's API) in a cache-aside policy that the source survives, whatever the
// cache does: a miss, an outage of the cache and a burst all pass through the same bounded path to the source.
//
// # Model
//
// A [Region] is one semantic kind of value under one [Policy], over one [Cache]. [Get] reads a key of it:
//
//   - a fresh value, or a recorded absence, is answered at once: one lookup, no lock, no goroutine;
//   - a stale value (past its soft expiry) is kept by the caller who looked it up while a refresh runs, and may answer for that refresh's failure
//     until its hard expiry, as far as [StaleRules] say;
//   - a miss and a cache that cannot be asked lead to the source, through one flight per key: one leader runs the [Loader], waiters share its typed
//     outcome;
//   - an entry that must not be believed fails fast, is loaded around, or is replaced, as the policy says. It is never read as a miss.
//
// The outcome of a load is typed ([Loaded], [AuthoritativeAbsent], [TransientFailure], [PermanentFailure], [Cancelled], [Unclassified]); [Classify]
// makes one of an ordinary repository read. Only an authoritative absence is ever recorded as one, only a classified transient failure is answered
// stale by default, and what nobody classified is handed on as it is.
//
// # Guarantees
//
//   - At most MaxInFlightKeys keys, MaxWaitersPerKey waiters a key and SourceConcurrency loaders at once, loaders that ignore their deadline
//     included. A call that a bound refuses starts no goroutine and no loader; a caller that has left runs no load.
//   - Every wait ends: the call's lookup and a leader's second one, AdmissionWait, LoadDeadline, RecordWait, one more lookup before a stale answer if
//     an invalidation came meanwhile; and the caller's own context.
//   - One caller's cancellation touches that caller alone. When all have left, the load goes on within its deadline and fills the cache, unless
//     CancelAbandoned is set: callers who time out and try again would otherwise keep it empty for ever.
//   - A panic of a loader comes out in each waiting caller's own goroutine and nowhere else; a loader that exits its goroutine is an error.
//   - A good load is recorded under the condition that its lookup justified, after its permit is back, and its value is returned whatever became
//     of the record.
//   - A loader that outlives its deadline keeps its permit, and a key never has more than MaxOverduePerKey of them (two where that is 1, while its
//     loads are being invalidated or abandoned): one hung key never takes a region's permits. What it brings late is recorded only under its first condition, and not
//     after an invalidation, a newer record of the key or Close.
//   - The error is nil exactly when the value may be used. No text that the package makes holds a key, a value or a source's message.
//
// # Not guaranteed
//
//   - Loads are shared within one region of one process: n processes make up to n loads of a cold key.
//   - Without [Invalidate] a cached value may be as old as its hard expiry; a key that somebody deletes in the store while a load runs takes that
//     load's older value. What an invalidation promises, and the conditions of it, is said there.
//   - Revisions are opaque: a load from a lagging replica may replace a newer value.
//   - A retained stale value is judged by the region's clock and the times in its entry; clocks that disagree shift that judgement.
//
// # Time
//
// Every timer is the injected clock's AfterFunc, every moment its Now. Callers' contexts keep their own time.
//
// # Concurrency
//
// Everything here is safe for concurrent use. No goroutine is started before the first load; [Region.Close] waits for all of them.
package cacheaside
