// Package explore tries every schedule of a few concurrent actors, to a given depth, against the promises of a protocol.
//
// # How it works
//
// What is explored is a [System]: real code whose every contact with the world outside of it (a store, a source) is parked until the explorer lets
// it go on. It runs in a bubble of testing/synctest, so that time is virtual and the explorer knows when nothing moves any more. At such a quiescent
// point it asks the system what may happen next and makes one choice; the list of the choices made is the [Schedule]. Running code cannot be
// copied, so [Search.Run] goes depth-first by starting anew and making the first choices of a schedule again. Where the depth is reached, a fixed
// and fair completion policy lets everything end, and the final promises are checked. [Walk] makes seeded random choices instead, for what is
// too large to be tried in full.
//
// A state that was met before, with at least as many choices still to make, is not entered again. The system says what its state is
// ([System.State]); a text that leaves out what matters would hide schedules, so it holds everything that anything later depends on.
//
// A violation tells its schedule as text ("3,0,2,1") and in words. [Replay] makes those choices again and ends in the same violation.
//
// # What is explored here
//
// [Fills] is the system of flights and fills: the real [cacheaside.Get] and [cacheaside.Invalidate] of several processes, each with a region of its
// own, over one [memory.Cache] that all share. Lookups, records, invalidations and loads are parked; each may take effect and be answered at once, or
// take effect and be answered later, fail, be lost on its way, or arrive when nobody waits for it any more. Processes crash, callers leave, time
// passes, and the clock of the second process is off, which decides with this store what is fresh and what is over.
//
// The checks are the promises: what was loaded before an invalidation that was applied is neither answered to a later call nor in the store; there
// are never more loads than the bounds say; every caller is answered in time; a stale value is before its hard expiry; what is told of a record is
// true; and at the end every permit is back and no goroutine is left.
//
// With [FillConfig.Fence] the processes are a fleet under [cacheaside.Fleet]: requests for grants, releases and puts are parked as well; a request
// that nobody waits for takes its grant late; the fence record, the entry or both are lost at any step, and the server's clock may go back then;
// what is granted, issued and filled is decided on the server's clock, and what is fresh on the caller's. The checks are these beside those above:
// no two grants are live; tokens grow while the record is there; nothing that was loaded without a grant is stored; the cache answers as its rules
// say; and where nothing goes wrong a fleet neither loads what one of it loads already nor what the store holds. Every weaker rule for accepting a
// fill ([FenceRule]) is there to be caught.
//
// What a fleet cannot see is a tombstone that was lost: then a call may still be answered by a load of its own process that began before the
// invalidation of another one. Nothing old is stored all the same.
//
// Not in it: more than one key, recorded absences, panics.
//
// Other protocols are further systems; nothing in [Search], [Walk], [Replay] and [Parking] knows of caches.
package explore
