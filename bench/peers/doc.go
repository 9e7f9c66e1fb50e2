// Command peers puts other Go caching libraries beside this one, on a real Redis, in one run: what callers get when a caller cancels, a loader
// panics, bytes are damaged, a row is invalidated during a load, Redis is away, the source fails, or many keys are cold at once; and what the lab's
// live scenarios S1, S9, S10, S11 and S18 measure of each, with every node in a process of its own.
//
//	go run ./bench/peers                     all of it, on redis-servers that the run starts and ends
//	go run ./bench/peers -out DIR            and DIR/report.html, DIR/results.json and DIR/plots
//	go run ./bench/peers -scenario none      the table of words alone
//	go run ./bench/peers -experiments none   the live scenarios alone
//	go run ./bench/peers -redis URL          on that Redis; what would hurt it is left out, and what is stored there is deleted at the end
//	go run ./bench/peers -list               the libraries, their versions, the experiments and the scenarios
//
// An interrupt ends the run with a report of what was measured by then.
package main
