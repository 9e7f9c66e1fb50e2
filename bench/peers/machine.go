package main

import (
	"os"
	"runtime"
	"strings"

	"github.com/cacheaside/resilience/bench/internal/result"
)

func machine() result.Machine {
	return result.Machine{Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH, CPU: processor(), CPUs: runtime.NumCPU()}
}

// processor is what Linux calls it; elsewhere it is unknown.
func processor() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return "unknown"
	}
	for line := range strings.Lines(string(text)) {
		if name, value, found := strings.Cut(line, ":"); found && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "unknown"
}
