package redistest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"testing"
)

const (
	// EnvServer names the environment variable holding the path of the
	// redis-server to run; unset or empty means the one on PATH.
	EnvServer = "CACHEASIDE_REDIS_SERVER"
	// EnvRequire names the environment variable which, set to 1, makes a
	// missing redis-server a failure instead of a skipped test.
	EnvRequire = "CACHEASIDE_REQUIRE_REDIS"
)

// ErrNoServer is returned by [Find] and [StartProcess] when no redis-server is
// on PATH and none was named.
var ErrNoServer = errors.New("redistest: no redis-server on PATH and " + EnvServer + " is not set")

// Find returns the path of the redis-server that [StartProcess] runs.
//
// It returns [ErrNoServer] when there is none. A server that was named by
// [EnvServer] but cannot be run is another error: a wrong setting must not
// pass for an absent one.
func Find() (path string, err error) {
	if named := os.Getenv(EnvServer); named != "" {
		path, err = exec.LookPath(named)
		if err != nil {
			return "", fmt.Errorf("redistest: the server named by %s: %w", EnvServer, err)
		}
		return path, nil
	}
	path, err = exec.LookPath("redis-server")
	if err != nil {
		return "", ErrNoServer
	}
	return path, nil
}

// Require skips the test when there is no redis-server, or fails it when
// [EnvRequire] is 1 or the server that was named cannot be run. [Start] calls
// it; call it directly before expensive preparations.
func Require(t testing.TB) {
	t.Helper()
	_, err := Find()
	switch {
	case err == nil:
	case errors.Is(err, ErrNoServer) && os.Getenv(EnvRequire) != "1":
		t.Skipf("skipped: %v", err)
	default:
		t.Fatal(err)
	}
}
