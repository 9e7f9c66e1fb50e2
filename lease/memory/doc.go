// Package memory keeps leases in the process: for tests, and for programs that have one process and may have more later.
//
// A [Store] keeps every guarantee of the package lease but one: what it knows ends with the process. Its tokens begin at its clock's time in
// microseconds, so that they grow from one process to the next as well, unless the clock went back.
//
// It is safe for concurrent use, starts no goroutine and holds one record of some 100 bytes for every key it was ever asked for.
package memory
