// Package lease tries the lease stores on servers: the whole suite of the port on Redis, with crashes, pressure, lost answers and wrong clocks, the stores
// that must not pass it, and the field cases of leases that a holder outlives.
package lease
