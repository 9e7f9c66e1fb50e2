package redistest_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cacheaside/resilience/internal/redistest"
)

func TestTheNamedServerWinsOverTheOneOnPath(t *testing.T) {
	program := filepath.Join(t.TempDir(), "a-server")
	if err := os.WriteFile(program, []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv(redistest.EnvServer, program)
	if got, err := redistest.Find(); err != nil || got != program {
		t.Errorf("Find = %q, %v", got, err)
	}
}

func TestANamedServerThatIsNotThereIsNotAnAbsentServer(t *testing.T) {
	t.Setenv(redistest.EnvServer, filepath.Join(t.TempDir(), "nothing"))
	if _, err := redistest.Find(); err == nil || errors.Is(err, redistest.ErrNoServer) {
		t.Errorf("Find = %v", err)
	}
}

func TestWithoutAServerTestsAreSkippedOrFailedAsTheEnvironmentDemands(t *testing.T) {
	nowhere := t.TempDir()
	for name, test := range map[string]struct {
		server, require string
		skip, fail      bool
	}{
		"none on PATH":                 {skip: true},
		"none on PATH but required":    {require: "1", fail: true},
		"required by another word":     {require: "yes", skip: true},
		"a named one that is not here": {server: filepath.Join(nowhere, "redis"), fail: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("PATH", nowhere)
			t.Setenv(redistest.EnvServer, test.server)
			t.Setenv(redistest.EnvRequire, test.require)
			got := on(t, redistest.Require)
			if (got.skipped != "") != test.skip || (got.failed != "") != test.fail {
				t.Errorf("skipped %q, failed %q", got.skipped, got.failed)
			}
			if test.skip && !strings.Contains(got.skipped, "no redis-server on PATH") {
				t.Errorf("the skip does not say why: %q", got.skipped)
			}
		})
	}
}
