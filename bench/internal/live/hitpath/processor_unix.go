//go:build unix

package hitpath

import (
	"syscall"
	"time"
)

// CountsProcessorTime says whether this system tells what a process has cost.
const CountsProcessorTime = true

// processorTime is what this process has cost so far, garbage collection included, whatever else the machine has to do.
func processorTime() time.Duration {
	var used syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &used) // of the process itself it cannot fail
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
