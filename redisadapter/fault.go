package redisadapter

import "github.com/cacheaside/resilience/cacheaside"

// Fault is what went wrong between the cache and the server: the class of an error, fit for a label.
type Fault uint8

// The faults. The zero value is none.
const (
	FaultBreakerOpen   Fault = iota + 1 // answered at once by the open [Breaker], nothing sent
	FaultCancelled                      // the caller's own context ended
	FaultPoolWait                       // no connection came free in time
	FaultClosed                         // the client is closed
	FaultDial                           // no connection could be made
	FaultTimeout                        // no connection, or no answer, within the time limit
	FaultConnection                     // the connection broke before the answer
	FaultWrite                          // the connection broke while the command was written: its end never left
	FaultExpired                        // nothing was left of the entry's life when it was to be sent
	FaultLoading                        // LOADING: the server reads its data
	FaultMasterDown                     // MASTERDOWN: a replica without its primary
	FaultClusterDown                    // CLUSTERDOWN: the slot is not served
	FaultMaxClients                     // the server takes no more connections
	FaultBusy                           // BUSY: a script runs
	FaultReadOnly                       // READONLY: a replica, as after a failover
	FaultOutOfMemory                    // OOM
	FaultMisconfigured                  // MISCONF: the server cannot persist and refuses writes
	FaultNoReplicas                     // NOREPLICAS: too few replicas for a write
	FaultPermission                     // NOPERM: an ACL
	FaultAuth                           // NOAUTH, WRONGPASS
	FaultRedirect                       // MOVED, ASK, TRYAGAIN, CROSSSLOT, and too many of them
	FaultWrongType                      // WRONGTYPE: another application's value under the key
	FaultNoScript                       // NOSCRIPT
	FaultRejected                       // the command is unknown or its form refused
	FaultStagingLost                    // the staged value was gone before it could be swapped in
	FaultUnknown                        // any other answer or error
)

// String returns the constant's name without its prefix.
func (f Fault) String() string {
	if int(f) < len(faultTable) {
		return faultTable[f].name
	}
	return "Unknown"
}

// faultRow says what a fault means.
type faultRow struct {
	name string
	text string // of the error
	// sent is what a fault means for a command that was dispatched. One that was not is certainly not applied, whatever the fault.
	sent   cacheaside.Certainty
	reason cacheaside.RecordReason
	health health
}

// health is what a call tells the breaker.
type health uint8

const (
	silent health = iota // tells nothing about the server
	alive                // the server answered
	ailing               // it did not, or cannot serve
)

// faultTable is the one place that says what each fault means. A reply that the server gives before it executes anything proves that nothing was
// applied; a connection that ends, or an unknown text, which some proxies make up, proves nothing. A broken write is certain: a command is
// length-prefixed, and the server discards one whose end never came.
var faultTable = [...]faultRow{
	{"None", "", cacheaside.RecordApplied, 0, alive},
	FaultBreakerOpen:   {"BreakerOpen", "breaker open", cacheaside.RecordNotApplied, cacheaside.RecordNeverSent, silent},
	FaultCancelled:     {"Cancelled", "context ended", cacheaside.RecordIndeterminate, 0, silent},
	FaultPoolWait:      {"PoolWait", "no connection came free in time", cacheaside.RecordIndeterminate, 0, silent},
	FaultClosed:        {"Closed", "client is closed", cacheaside.RecordIndeterminate, 0, silent},
	FaultDial:          {"Dial", "no connection could be made", cacheaside.RecordIndeterminate, 0, ailing},
	FaultTimeout:       {"Timeout", "no answer in time", cacheaside.RecordIndeterminate, 0, ailing},
	FaultConnection:    {"Connection", "connection broke", cacheaside.RecordIndeterminate, 0, ailing},
	FaultWrite:         {"Write", "connection broke while writing", cacheaside.RecordNotApplied, cacheaside.RecordNeverSent, ailing},
	FaultExpired:       {"Expired", "nothing left of the entry's life", cacheaside.RecordNotApplied, cacheaside.RecordNeverSent, silent},
	FaultLoading:       {"Loading", "server is loading (LOADING)", cacheaside.RecordNotApplied, cacheaside.RecordStoreRefused, ailing},
	FaultMasterDown:    {"MasterDown", "primary is down (MASTERDOWN)", cacheaside.RecordNotApplied, cacheaside.RecordStoreRefused, ailing},
	FaultClusterDown:   {"ClusterDown", "cluster is down (CLUSTERDOWN)", cacheaside.RecordNotApplied, cacheaside.RecordStoreRefused, ailing},
	FaultMaxClients:    {"MaxClients", "server takes no more connections", cacheaside.RecordNotApplied, cacheaside.RecordStoreRefused, ailing},
	FaultBusy:          {"Busy", "server runs a script (BUSY)", cacheaside.RecordNotApplied, cacheaside.RecordStoreRefused, silent},
	FaultReadOnly:      {"ReadOnly", "server is read only (READONLY)", cacheaside.RecordNotApplied, cacheaside.RecordStoreRefused, alive},
	FaultOutOfMemory:   {"OutOfMemory", "server is out of memory (OOM)", cacheaside.RecordNotApplied, cacheaside.RecordStoreRefused, alive},
	FaultMisconfigured: {"Misconfigured", "server cannot persist (MISCONF)", cacheaside.RecordNotApplied, cacheaside.RecordStoreRefused, alive},
	FaultNoReplicas:    {"NoReplicas", "too few replicas (NOREPLICAS)", cacheaside.RecordNotApplied, cacheaside.RecordStoreRefused, alive},
	FaultPermission:    {"Permission", "no permission (NOPERM)", cacheaside.RecordNotApplied, cacheaside.RecordStoreRefused, alive},
	FaultAuth:          {"Auth", "not authenticated (NOAUTH, WRONGPASS)", cacheaside.RecordNotApplied, cacheaside.RecordStoreRefused, silent},
	FaultRedirect:      {"Redirect", "wrong node (MOVED, ASK, TRYAGAIN, CROSSSLOT)", cacheaside.RecordNotApplied, cacheaside.RecordStoreRefused, silent},
	FaultWrongType:     {"WrongType", "foreign value under the key (WRONGTYPE)", cacheaside.RecordNotApplied, cacheaside.RecordConditionFailed, alive},
	FaultNoScript:      {"NoScript", "script is not loaded (NOSCRIPT)", cacheaside.RecordNotApplied, cacheaside.RecordStoreRefused, alive},
	FaultRejected:      {"Rejected", "command refused", cacheaside.RecordNotApplied, cacheaside.RecordStoreRefused, alive},
	FaultStagingLost:   {"StagingLost", "staged value was lost", cacheaside.RecordNotApplied, cacheaside.RecordStoreRefused, alive},
	FaultUnknown:       {"Unknown", "unknown answer", cacheaside.RecordIndeterminate, 0, silent},
}
