// Package contender holds the ways of reading through a cache that the lab compares, behind one interface: P0 to P5 as people write them, P6
// to P8 on this library.
//
// A contender is one process of a service: it is given a source, a store and the clock that its packages use, and reads rows. Which store and
// which source these are, models in virtual time or a real Redis and a real process, is the business of the lab's modes.
package contender
