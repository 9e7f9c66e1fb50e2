// Package redisadapter keeps the entries of a cacheaside region on a Redis or Valkey server: the port's operations as one command or one script
// each, every one sent once, within a time limit, and classified by what is certain about its effect.
//
// # Model
//
// [New] makes a [Cache] for one region from a client of go-redis and a [Config]. A key's canonical text becomes an opaque name,
//
//	<namespace>:<region>:<scope, or ->:{<base64url of 16 bytes of an HMAC>}:v
//
// under which one string value is stored: the bytes that the package envelope specifies, with a digest that only holders of the secret can make and
// that covers the name, so that entries can be neither forged nor moved. Its expiry at the server is that of the entry, jittered per key.
//
//	operation    commands
//	Lookup       GETRANGE key 0 max
//	Record       absent: SET key value PX life NX
//	             observed, up to 64 KiB: one script, GETRANGE of 32 bytes and SET PX
//	             observed, above: SET staging value PX, then one script that compares, PEXPIREs the staged value and RENAMEs it
//	Invalidate   one script, GETRANGE of a byte and SET PX of a tombstone, once more where memory was full
//	read-back    GETRANGE key -32 -1, once, after a record whose outcome is unknown
//	probe        GETRANGE key 0 0, at most one a second, while the breaker is open
//
// # Guarantees
//
//   - A lookup is one round trip and reads at most MaxValueBytes and the bytes around a payload. It never deletes, expires or writes.
//   - No command is sent twice, whatever retries the client is set to, on plain, cluster and failover clients. Only a server that said that it did
//     not execute (NOSCRIPT, a redirect, and on a cluster READONLY) is asked again. [Cache.Record] tells NotApplied only where that is certain.
//   - An entry and its expiry are written in one atomic step; the life is computed when the command is serialized.
//   - LookupTimeout and RecordTimeout hold on every client that New accepts, dials, handshakes and waits for a connection included. A large value
//     needs more than the defaults.
//   - No key text reaches the server; no key, payload, secret or password is in an error, a warning or the printed arguments of a command.
//   - A value of another type under an entry's name is never changed.
//   - No goroutine is started but the breaker's probe, after an outage has begun; it ends with Close.
//
// # Not guaranteed
//
//   - That an acknowledged write survives a failover, an eviction or a restart. An entry that is lost is a miss. A tombstone that is lost lets a load
//     that began before it be recorded.
//   - Freshness across clocks that differ by more than MaxClockSkew.
//   - Secrecy of payloads: they are authenticated, not encrypted.
//   - Anything about hooks of the client: one that retries sends twice, and one that logs arguments sees names and sizes.
//   - That a deleted or emptied key is told from a missing one: a present empty string reads as a miss, and refuses to be filled until it expires.
//
// # Concurrency
//
// A [Cache] and a [Breaker] are safe for concurrent use. Functions in a [Config] are called concurrently.
//
// # Errors
//
// [New] and [OpenClient] return *[cacheaside.FieldError], joined. What goes wrong at the server is a *[StoreError] with a [Fault]; a value that cannot
// be stored is an *[EncodeError]; what [Msgpack] cannot keep is a *[ShapeError].
//
// # Permissions and versions
//
// A user of the server needs, for the keys <namespace>:*, the commands GETRANGE, SET, EVAL, EVALSHA, PEXPIRE, RENAME, RENAMENX, UNLINK and HMGET, and on a
// cluster CLUSTER SLOTS and ASKING:
//
//	ACL SETUSER app on >password ~shop:* +getrange +set +eval +evalsha +pexpire +rename +renamenx +unlink +hmget
//
// Redis 6.2 and later and Valkey are supported; tests run on Redis 7. Servers without Lua cannot replace or invalidate. Entries may live under any
// eviction policy. A client that is served from replicas, and a ring, need an opt-in in [Config] that names the loss.
package redisadapter
