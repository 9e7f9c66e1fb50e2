package redisadapter

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"syscall"

	"github.com/redis/go-redis/v9"
)

// faultOf classifies an error of the client. The order matters: a failed dial may carry a context's error, and a context's error inside a reply
// does not exist.
//
// What it cannot see is whether the command was dispatched, and whose time limit ended; the caller of it can.
func faultOf(err error) Fault {
	var reply redis.Error
	switch {
	case err == nil:
		return 0
	case errors.As(err, &reply):
		return replyFault(reply.Error())
	case errors.Is(err, ErrBreakerOpen):
		return FaultBreakerOpen
	case errors.Is(err, errExpired):
		return FaultExpired
	case isOp(err, "dial"), isHandshake(err):
		return FaultDial
	case errors.Is(err, redis.ErrClosed):
		return FaultClosed
	case errors.Is(err, redis.ErrPoolTimeout), errors.Is(err, redis.ErrPoolExhausted):
		return FaultPoolWait
	case isOp(err, "write"):
		return FaultWrite
	case errors.Is(err, context.Canceled):
		return FaultCancelled
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded), isTimeout(err):
		return FaultTimeout
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed), isOp(err, "read"), isBroken(err):
		return FaultConnection
	}
	return FaultUnknown
}

func isOp(err error, op string) bool {
	var opErr *net.OpError
	return errors.As(err, &opErr) && opErr.Op == op
}

// isHandshake knows a TLS handshake that one of the two sides refused: there is no connection to a server that this client may trust, or that trusts it.
func isHandshake(err error) bool {
	var untrusted *tls.CertificateVerificationError
	var notTLS tls.RecordHeaderError
	return errors.As(err, &untrusted) || errors.As(err, &notTLS) || isOp(err, "remote error") || isOp(err, "local error")
}

// isBroken knows the errors of a connection that broke in its handshake, where the client gives them bare: they do not tell whether anything was
// accepted before.
func isBroken(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.ECONNABORTED)
}

func isTimeout(err error) bool {
	var netErr net.Error
	return errors.As(err, &netErr) && netErr.Timeout()
}

// replyPrefixes are the error replies that a server gives before it executes anything of a command, and for a script of this package before its
// first write. Everything else proves nothing: proxies make up texts of their own.
var replyPrefixes = [...]struct {
	prefix string
	fault  Fault
}{
	{"LOADING ", FaultLoading},
	{"MASTERDOWN ", FaultMasterDown},
	{"CLUSTERDOWN ", FaultClusterDown},
	{"max number of clients", FaultMaxClients},
	{"BUSY ", FaultBusy},
	{"READONLY ", FaultReadOnly},
	{"OOM ", FaultOutOfMemory},
	{"MISCONF ", FaultMisconfigured},
	{"NOREPLICAS ", FaultNoReplicas},
	{"NOPERM ", FaultPermission},
	{"The user executing the script ", FaultPermission}, // as Redis 7.0 says it of a command inside a script
	{"NOAUTH ", FaultAuth},
	{"WRONGPASS ", FaultAuth},
	{"MOVED ", FaultRedirect},
	{"ASK ", FaultRedirect},
	{"TRYAGAIN ", FaultRedirect},
	{"CROSSSLOT ", FaultRedirect},
	{"WRONGTYPE ", FaultWrongType},
	{"NOSCRIPT ", FaultNoScript},
	{"EXECABORT ", FaultRejected},
	{"unknown command", FaultRejected},
	{"syntax error", FaultRejected},
	{"invalid expire time", FaultRejected},
	{"Protocol error", FaultRejected},
}

// replyFault classifies the text of an error reply. Some proxies put "ERR " before the code that the server gave.
func replyFault(text string) Fault {
	text = strings.TrimPrefix(text, "ERR ")
	for _, row := range replyPrefixes {
		if strings.HasPrefix(text, row.prefix) {
			return row.fault
		}
	}
	return FaultUnknown
}
