package fleet_test

import (
	"context"
	"testing"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/internal/redistest"
)

// TestAGenerationThatIsLostIsNotBegunAgain loses the number and starts a process that knows none.
func TestAGenerationThatIsLostIsNotBegunAgain(t *testing.T) {
	server := redistest.Start(t, redistest.Options{})
	cfg := inGenerations(redisConfig(true))
	wantGet(t, onCaches(t, fleetPolicy(), openCache(t, server, cfg)).regions[0], of("v1"), cacheaside.StatusLoaded, "v1")
	restarted := onCaches(t, fleetPolicy(), openCache(t, server, cfg)).regions[0]
	wantGet(t, restarted, nothing, cacheaside.StatusFresh, "v1")
	if gone := server.Client().Del(context.Background(), cfg.Namespace+":"+cfg.Region+":-:generation").Val(); gone != 1 {
		t.Fatal("there was no generation")
	}
	wantGet(t, onCaches(t, fleetPolicy(), openCache(t, server, cfg)).regions[0], of("v2"), cacheaside.StatusLoaded, "v2")
}
