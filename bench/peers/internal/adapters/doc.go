// Package adapters puts other Go caching libraries, and this one, behind the lab's [contender.Reader], each set up as its own documentation
// recommends.
//
// # What is alike
//
// All keep the same rows for the same times (contender.TTL): those that can hold a value past its soft expiry keep it until Hard, the others drop
// it at Soft. All are given the same source and the callers' own contexts, and those that use a Redis dial the same one. Each file names the page
// it follows and every choice that is not a default.
//
// # What is not
//
// Libraries that keep values in the process answer hits without a network, and no other process sees what they hold or drop; that is an
// advantage in time and a difference in consistency, not a fault, and [Peer.Keeps] says it.
//
// This library says itself whether a value was a hit, was loaded or is stale. For the others the adapter reads the clock twice a call to tell, which
// is about 0.1 µs of what a hit in memory seems to cost.
package adapters
