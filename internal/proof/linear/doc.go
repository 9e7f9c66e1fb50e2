// Package linear tries whether conditional records are linearizable: several clients, each with a connection pool of its own, look up, record under
// conditions, invalidate and delete a few keys of a real server, through proxies that lose replies, reset, delay and swallow, while the server is
// killed and started again. A checker then looks for one order of all operations that explains every answer.
//
// An outcome that was told as applied had its effect between call and return; one told as not applied had none, ever; an indeterminate one may have
// its effect at any time from its call on, or never. Wrong adapters under the same faults, and histories written by hand, show that the checker
// refuses.
//
// CACHEASIDE_LINEAR_OPERATIONS sets how many operations a seed makes, CACHEASIDE_LINEAR_SEED runs the one seed that a failure printed: the same
// choices and faults, though not the same schedule. Everything is in test files.
package linear
