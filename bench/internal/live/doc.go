// Package live runs contenders against a real Redis in real time: one process for each node, which is this very program started again, and one
// source for all of them in the process that started them.
//
// # Processes
//
// A program that calls [Run] calls [Worker] first in its main, and ends at once where that says that it is a worker. A worker gets its job over its
// standard input and ends when that is closed, so that none is left where the first process dies. Passwords pass over this pipe only.
//
// # What is measured
//
// The load is open: arrivals are drawn from the seed before anybody knows how busy the service is, and latency counts from the intended arrival,
// also where the generator falls behind. A user calls again at once when its deadline ends, whether or not the service has noticed that; a request
// is good if the first of its calls was answered by then.
//
// Checks are of counts and of ratios within one run. Nothing is asserted of a time, for the machine may be busy with other things.
package live
