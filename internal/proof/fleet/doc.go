// Package fleet tries what the processes of a fleet promise together: one load per key and expiry, an invalidation that beats every fill in flight
// anywhere, a holder that dies and one that wakes late, on the in-process cache and on real servers.
package fleet
