// Command bench is the stampede lab: it shows what an expiry, an outage, a slow source and a burst do to a service behind a cache, for each of the
// ways in which services read through one.
//
//	go run ./bench                                  the short suite, in virtual time, embedded
//	go run ./bench -full                            every variant of every scenario, the fine map
//	go run ./bench -list                            what there is
//	go run ./bench -scenario S3,S4 -policy P0,P7    some of it
//	go run ./bench -mode live -redis auto           on a real Redis, in real time, with processes
//	go run ./bench -config bench/configs/balanced.toml   a policy and a workload of your own
//
// It prints a table and writes a page with plots, the figures as JSON, and each plot as SVG. See docs/benchmarks.md for how to read them.
package main
