// Package cacheaside wraps the reads of a source (a database, a provider's API) in a cache-aside policy that the source survives, whatever the
// cache does: a miss, an outage of the cache and a burst all pass through the same bounded path to the source.
package cacheaside
