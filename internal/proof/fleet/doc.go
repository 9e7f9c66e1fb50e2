// Package fleet tries what the processes of a fleet promise together: one load per key and expiry, an invalidation that beats every fill in flight
// anywhere, a holder that dies and one that wakes late, on the in-process cache and on real servers.
//
// A plain run takes seconds. These variables make its parts as long as they are worth: FLEET_RACES_MEMORY (1000000), FLEET_RACES_REDIS (10000) and
// FLEET_RACES_EVICTION (10000) count seeded orders of loads, updates, invalidations and late fills; FLEET_INVALIDATIONS (1000000) counts keys whose
// fence records must go by themselves; FLEET_SOAK_READS (10000) counts the reads of every reader among processes that read and invalidate at once.
package fleet
