// Package servers tries the promises on real servers that crash, fail over, run full, forget their scripts, fall asleep and hand their slots over,
// while several goroutines record, invalidate and read. Nothing but tests is in it.
//
// A book keeps, for every key, what may be stored there by what the cache has told; whatever a lookup finds is held against it. So an outcome that was
// not true is found out by what is seen later. Beside it a shop of two regions, as of two processes, reads through cacheaside.Get and invalidates; what
// was invalidated must not be seen again. What lies at the servers is read raw and parsed without the adapter.
//
// The environment variable CACHEASIDE_SERVERS, a duration such as 3m, makes the trials longer; unset they are short enough for every build.
// CACHEASIDE_REDIS_SERVER names another server than the one on PATH.
package servers
