// Package redistest gives tests a Redis they can hurt: a real redis-server on
// a port of its own that can be killed, paused and restarted, and the tools to
// see and to disturb what passes between it and a client.
//
// # Finding the server
//
// The program is the one named by the environment variable
// CACHEASIDE_REDIS_SERVER, else the redis-server on PATH. Without one, tests
// that need it are skipped with a line that says so; with
// CACHEASIDE_REQUIRE_REDIS=1 they fail instead, so that a build which must
// have tested against Redis cannot pass by not finding it.
//
// # Ownership
//
// Everything started with a [testing.TB] ends with that test: processes are
// killed, listeners and connections closed, goroutines joined, directories
// removed. [StartProcess] is the same server without a test around it; its
// caller ends it with [Process.Stop].
//
// # Time
//
// Servers and sockets live on the wall clock. No helper sleeps for a guessed
// time: each waits for the event it needs, for at most ten seconds, and says
// what it waited for when the event does not come.
package redistest
