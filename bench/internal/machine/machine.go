// Package machine says what a run was made on.
package machine

import (
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/cacheaside/resilience/bench/internal/result"
)

// Here is the machine that this process runs on.
func Here() result.Machine {
	return result.Machine{Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH, CPU: processor(), CPUs: runtime.GOMAXPROCS(0)}
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

// Versions gives the versions of some of the modules that this program was built from, by module path. One that was built from its sources, as
// those of this repository are, has "devel".
func Versions(modules ...string) map[string]string {
	found := make(map[string]string)
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return found
	}
	for _, module := range append(info.Deps, &info.Main) {
		for _, wanted := range modules {
			if module.Path != wanted {
				continue
			}
			found[wanted] = module.Version
			if module.Replace != nil || module.Version == "" || strings.Trim(module.Version, "()") == "devel" {
				found[wanted] = "devel"
			}
		}
	}
	return found
}
