package redisadapter_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"syscall"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/redisadapter"
)

// replied is an error reply of a server.
type replied string

func (r replied) Error() string { return string(r) }
func (replied) RedisError()     {}

func op(name string, err error) error { return &net.OpError{Op: name, Net: "tcp", Err: err} }

const (
	isRefused               = cacheaside.RecordNotApplied
	isUndecided             = cacheaside.RecordIndeterminate
	tellsNothing            = "silent"
	tellsAlive, tellsAiling = "alive", "ailing"
)

// TestEveryErrorHasItsFaultCertaintyAndEffectOnTheBreaker is the table of what is certain about a command that was dispatched.
func TestEveryErrorHasItsFaultCertaintyAndEffectOnTheBreaker(t *testing.T) {
	for _, row := range []struct {
		err       error
		fault     redisadapter.Fault
		certainty cacheaside.Certainty
		reason    cacheaside.RecordReason
		breaker   string
	}{
		{replied("LOADING Redis is loading the dataset in memory"), redisadapter.FaultLoading, isRefused, cacheaside.RecordStoreRefused, tellsAiling},
		{replied("MASTERDOWN Link with MASTER is down"), redisadapter.FaultMasterDown, isRefused, cacheaside.RecordStoreRefused, tellsAiling},
		{replied("CLUSTERDOWN The cluster is down"), redisadapter.FaultClusterDown, isRefused, cacheaside.RecordStoreRefused, tellsAiling},
		{replied("ERR max number of clients reached"), redisadapter.FaultMaxClients, isRefused, cacheaside.RecordStoreRefused, tellsAiling},
		{replied("BUSY Redis is busy running a script"), redisadapter.FaultBusy, isRefused, cacheaside.RecordStoreRefused, tellsNothing},
		{replied("READONLY You can't write against a read only replica."), redisadapter.FaultReadOnly, isRefused, cacheaside.RecordStoreRefused, tellsAlive},
		{replied("ERR READONLY by way of a proxy"), redisadapter.FaultReadOnly, isRefused, cacheaside.RecordStoreRefused, tellsAlive},
		{replied("OOM command not allowed when used memory > 'maxmemory'."), redisadapter.FaultOutOfMemory, isRefused, cacheaside.RecordStoreRefused, tellsAlive},
		{replied("MISCONF Redis is configured to save RDB snapshots"), redisadapter.FaultMisconfigured, isRefused, cacheaside.RecordStoreRefused, tellsAlive},
		{replied("NOREPLICAS Not enough good replicas to write."), redisadapter.FaultNoReplicas, isRefused, cacheaside.RecordStoreRefused, tellsAlive},
		{replied("NOPERM this user has no permissions"), redisadapter.FaultPermission, isRefused, cacheaside.RecordStoreRefused, tellsAlive},
		{replied("NOAUTH Authentication required."), redisadapter.FaultAuth, isRefused, cacheaside.RecordStoreRefused, tellsNothing},
		{replied("WRONGPASS invalid username-password pair"), redisadapter.FaultAuth, isRefused, cacheaside.RecordStoreRefused, tellsNothing},
		{replied("MOVED 3999 127.0.0.1:6381"), redisadapter.FaultRedirect, isRefused, cacheaside.RecordStoreRefused, tellsNothing},
		{replied("ASK 3999 127.0.0.1:6381"), redisadapter.FaultRedirect, isRefused, cacheaside.RecordStoreRefused, tellsNothing},
		{replied("TRYAGAIN Multiple keys request during rehashing of slot"), redisadapter.FaultRedirect, isRefused, cacheaside.RecordStoreRefused, tellsNothing},
		{replied("CROSSSLOT Keys in request don't hash to the same slot"), redisadapter.FaultRedirect, isRefused, cacheaside.RecordStoreRefused, tellsNothing},
		{replied("WRONGTYPE Operation against a key holding the wrong kind of value"), redisadapter.FaultWrongType, isRefused, cacheaside.RecordConditionFailed, tellsAlive},
		{replied("NOSCRIPT No matching script."), redisadapter.FaultNoScript, isRefused, cacheaside.RecordStoreRefused, tellsAlive},
		{replied("EXECABORT Transaction discarded because of previous errors."), redisadapter.FaultRejected, isRefused, cacheaside.RecordStoreRefused, tellsAlive},
		{replied("ERR unknown command 'EVALSHA'"), redisadapter.FaultRejected, isRefused, cacheaside.RecordStoreRefused, tellsAlive},
		{replied("ERR syntax error"), redisadapter.FaultRejected, isRefused, cacheaside.RecordStoreRefused, tellsAlive},
		{replied("ERR invalid expire time in 'set' command"), redisadapter.FaultRejected, isRefused, cacheaside.RecordStoreRefused, tellsAlive},
		{replied("ERR Protocol error: invalid bulk length"), redisadapter.FaultRejected, isRefused, cacheaside.RecordStoreRefused, tellsAlive},
		{replied("ERR upstream failure"), redisadapter.FaultUnknown, isUndecided, 0, tellsNothing},
		{replied("OOMPH is no code"), redisadapter.FaultUnknown, isUndecided, 0, tellsNothing},
		{redisadapter.ErrBreakerOpen, redisadapter.FaultBreakerOpen, isRefused, cacheaside.RecordNeverSent, tellsNothing},
		{context.Canceled, redisadapter.FaultCancelled, isUndecided, 0, tellsNothing},
		{fmt.Errorf("hook: %w", context.Canceled), redisadapter.FaultCancelled, isUndecided, 0, tellsNothing},
		{redis.ErrPoolTimeout, redisadapter.FaultPoolWait, isUndecided, 0, tellsNothing},
		{redis.ErrPoolExhausted, redisadapter.FaultPoolWait, isUndecided, 0, tellsNothing},
		{redis.ErrClosed, redisadapter.FaultClosed, isUndecided, 0, tellsNothing},
		{op("dial", syscall.ECONNREFUSED), redisadapter.FaultDial, isUndecided, 0, tellsAiling},
		{op("dial", context.DeadlineExceeded), redisadapter.FaultDial, isUndecided, 0, tellsAiling},
		{context.DeadlineExceeded, redisadapter.FaultTimeout, isUndecided, 0, tellsAiling},
		{os.ErrDeadlineExceeded, redisadapter.FaultTimeout, isUndecided, 0, tellsAiling},
		{op("read", os.ErrDeadlineExceeded), redisadapter.FaultTimeout, isUndecided, 0, tellsAiling},
		{io.EOF, redisadapter.FaultConnection, isUndecided, 0, tellsAiling},
		{io.ErrUnexpectedEOF, redisadapter.FaultConnection, isUndecided, 0, tellsAiling},
		{net.ErrClosed, redisadapter.FaultConnection, isUndecided, 0, tellsAiling},
		{op("read", syscall.ECONNRESET), redisadapter.FaultConnection, isUndecided, 0, tellsAiling},
		{op("write", syscall.EPIPE), redisadapter.FaultWrite, isRefused, cacheaside.RecordNeverSent, tellsAiling},
		{op("write", os.ErrDeadlineExceeded), redisadapter.FaultWrite, isRefused, cacheaside.RecordNeverSent, tellsAiling},
		{errors.New(`redis: can't parse reply="garbage"`), redisadapter.FaultUnknown, isUndecided, 0, tellsNothing},
		{nil, 0, cacheaside.RecordApplied, 0, tellsAlive},
	} {
		t.Run(fmt.Sprint(row.err), func(t *testing.T) {
			fault := redisadapter.FaultOf(row.err)
			certainty, reason, breaker := redisadapter.MeaningOf(fault)
			if fault != row.fault || certainty != row.certainty || reason != row.reason || breaker != row.breaker {
				t.Errorf("%v: %v %v %s, want %v: %v %v %s", fault, certainty, reason, breaker, row.fault, row.certainty, row.reason, row.breaker)
			}
		})
	}
}

func TestEveryFaultHasANameAndATextOfItsOwn(t *testing.T) {
	seen := map[string]bool{}
	for fault := redisadapter.FaultBreakerOpen; fault <= redisadapter.FaultUnknown; fault++ {
		text := (&redisadapter.StoreError{Op: "lookup", Fault: fault}).Error()
		if fault.String() == "" || text == "redisadapter: lookup: " || seen[text] || seen[fault.String()] {
			t.Errorf("fault %d: %q, %q", fault, fault, text)
		}
		seen[text], seen[fault.String()] = true, true
	}
	if beyond := redisadapter.FaultUnknown + 1; beyond.String() != "Unknown" || (&redisadapter.StoreError{Fault: beyond}).Error() == "" {
		t.Errorf("a fault that is none: %q", beyond)
	}
}
