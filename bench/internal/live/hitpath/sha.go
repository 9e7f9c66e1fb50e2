package hitpath

import (
	"os"
	"runtime"
	"slices"
	"strings"
)

// LacksSHA tells whether the processor is known to have no instructions for SHA-256, with which entries are authenticated. Only Linux says.
func LacksSHA() bool {
	if runtime.GOOS != "linux" {
		return false
	}
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return false
	}
	return lacksSHA(string(text))
}

// lacksSHA looks at the first list of what a processor can do.
func lacksSHA(cpuinfo string) bool {
	for line := range strings.Lines(cpuinfo) {
		name, list, found := strings.Cut(line, ":")
		if name = strings.TrimSpace(name); found && (name == "flags" || name == "Features") {
			can := strings.Fields(list)
			return !slices.Contains(can, "sha_ni") && !slices.Contains(can, "sha2")
		}
	}
	return false
}
