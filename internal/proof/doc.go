// Package proof is where the promises of this module are tried from outside, on whole systems: every schedule of two processes in explore, random
// histories against a model of the contract in model, real concurrency against a linearizability checker in linear, every fault of a connection in
// faults, crashes, failovers and clusters of real servers in servers, and all of it for a while in soak. docs/proof.md says what each one shows.
package proof
