// Package correctness puts each library into the situations in which caches go wrong, and writes down what its callers get: one experiment a row,
// one library a column, every cell measured.
//
// An experiment runs in a process of its own, the same program started again, with a Redis of its own: a library that hangs, panics or ends the
// process is then a result, and not the end of the run. The child measures and prints an observation; the parent makes a sentence of it by a pure
// function.
package correctness
