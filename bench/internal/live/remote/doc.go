// Package remote is the source of a live run: one server with few workers and an unbounded queue, which all processes of the run ask over loopback
// TCP. It counts what it is asked and what nobody waited for.
//
// # Protocol
//
// A client begins with eight bytes, "stampede". Then come frames in both directions, each with its length before it as four bytes, big endian, and
// each with the number of the call that it belongs to, so that any number of calls share a connection. Whatever does not fit this ends the
// connection, and with it what was asked over it.
package remote
