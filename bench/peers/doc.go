// Command peers puts other Go caching libraries beside this one, on a real Redis, in one run: what callers get when a caller cancels, a loader
// panics, bytes are damaged, a row is invalidated during a load, Redis is away, the source fails, or many keys are cold at once.
//
//	go run ./bench/peers                     all of it, on redis-servers that the run starts and ends
//	go run ./bench/peers -out DIR            and DIR/peers.json
//	go run ./bench/peers -redis URL          on that Redis; what would hurt it is left out, and what is stored there expires within a minute
//	go run ./bench/peers -list               the libraries, their versions and the experiments
package main
