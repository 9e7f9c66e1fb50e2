// Package sim runs one contender against a model of a service in virtual time: users that arrive as they like, processes, a network, a store and a
// source. Of the contenders on this library the real code runs, on the real clock of a bubble; only what it stands on is a model.
//
// # What the models leave out
//
// Processor time: what a process computes takes none. The network loses nothing unless a fault says so. The store is one server that answers in the
// order of arrival, in a time that does not depend on its load where a setup does not say so. Of the Redis adapter, its time limits and its breaker
// are modelled; its bytes are not, and a write that is not answered in time has not been made. Nothing is evicted where a setup does not ask for it,
// and then an entry goes with its fence record.
//
// A load that hangs takes no worker of the source, and a source that goes down ends no load that is under way: both spare whoever calls too often.
package sim
