package redisserver

import (
	"os"
	"os/exec"
	"testing"
)

// Require skips the test where there is no redis-server on PATH, and fails it instead in a run in which nothing may be skipped
// (CACHEASIDE_REQUIRE_REDIS=1).
func Require(t testing.TB) {
	t.Helper()
	if _, err := exec.LookPath("redis-server"); err == nil {
		return
	}
	if os.Getenv("CACHEASIDE_REQUIRE_REDIS") == "1" {
		t.Fatal("CACHEASIDE_REQUIRE_REDIS=1, and there is no redis-server on PATH")
	}
	t.Skip("no redis-server on PATH")
}

// ForTest starts a server that ends with the test.
func ForTest(t testing.TB) *Server {
	t.Helper()
	Require(t)
	s, err := Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
	})
	return s
}
