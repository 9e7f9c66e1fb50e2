package adapters_test

import (
	"os"
	"testing"

	"github.com/cacheaside/resilience/bench/peers/internal/adapters"
)

func TestMain(m *testing.M) {
	adapters.Quiet()
	os.Exit(m.Run())
}
