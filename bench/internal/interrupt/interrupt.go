// Package interrupt ends a command well: its context is cancelled by the first signal that asks for an end, and the second ends the process at once.
package interrupt

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// Context gives a context that an interrupt, a request to terminate or the loss of the terminal cancels, and the function that lets go of the
// signals. Those that whoever started the process wants ignored, as nohup does, stay so. A closed pipe behind standard output is an error of a
// write from then on and does not end the process: what was measured is to be kept all the same.
func Context(parent context.Context) (context.Context, context.CancelFunc) {
	signal.Ignore(syscall.SIGPIPE)
	var asked []os.Signal
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) {
			asked = append(asked, s)
		}
	}
	if len(asked) == 0 { // to be notified of none is to be notified of all
		return context.WithCancel(parent)
	}
	ctx, stop := signal.NotifyContext(parent, asked...)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// IgnoreAll is for a process that another one ends: a terminal and a shell send the same signals to both.
func IgnoreAll() { signal.Ignore(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP) }
