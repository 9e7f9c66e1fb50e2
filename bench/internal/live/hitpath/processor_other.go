//go:build !unix

package hitpath

import "time"

// CountsProcessorTime says whether this system tells what a process has cost.
const CountsProcessorTime = false

func processorTime() time.Duration { return timeOfDay().now() }
