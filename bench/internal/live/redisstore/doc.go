// Package redisstore is the store of a live run: a real Redis, read and written the way most code does it for the plain contenders, and through the
// Redis adapter for those on this library. All keys of a run begin with a namespace of its own, so that nothing else on the server is touched.
package redisstore
