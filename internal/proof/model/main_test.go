package model_test

import (
	"flag"
	"os"
	"testing"

	"go.uber.org/goleak"
)

// checks is how many histories are run where nobody says how many; it is ten times what rapid takes for enough.
const checks = "1000"

// TestMain keeps rapid from writing its failures into the source tree: a history that fails is printed, and its seed repeats it.
func TestMain(m *testing.M) {
	flag.Parse()
	settings := map[string]string{"rapid.nofailfile": "true"}
	if most := flag.Lookup("rapid.checks"); most.Value.String() == most.DefValue {
		settings[most.Name] = checks
	}
	for name, value := range settings {
		if err := flag.Set(name, value); err != nil {
			os.Exit(1)
		}
	}
	goleak.VerifyTestMain(m)
}
