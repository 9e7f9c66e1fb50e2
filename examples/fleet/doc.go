// Command fleet shows two processes on one Redis that load each key once between them: one is killed while it loads, and an invalidation beats a slow
// load of the other.
//
//	go run ./examples/fleet            starts the redis-server on PATH
//	go run ./examples/fleet -redis URL uses yours
package main
