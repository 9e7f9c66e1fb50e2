package redistest

import (
	"errors"
	"io"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
)

// ClientOptions returns client options for the server at addr: a context's
// deadline holds, every command is sent once, a dead server is noticed at the
// first dial, and the handshake is HELLO alone. The time limits are wide enough
// for a busy test machine; a test about time limits narrows them.
func ClientOptions(addr string) *redis.Options {
	return &redis.Options{
		Addr:                     addr,
		ContextTimeoutEnabled:    true,
		MaxRetries:               -1,
		DialerRetries:            1,
		DialTimeout:              3 * time.Second,
		ReadTimeout:              3 * time.Second,
		WriteTimeout:             3 * time.Second,
		PoolTimeout:              3 * time.Second,
		DisableIdentity:          true,
		MaintNotificationsConfig: &maintnotifications.Config{Mode: maintnotifications.ModeDisabled},
	}
}

// closeAtEnd closes c when t ends. A client the test has closed already is
// fine.
func closeAtEnd(t testing.TB, c io.Closer) {
	t.Cleanup(func() {
		if err := c.Close(); err != nil && !errors.Is(err, redis.ErrClosed) {
			t.Errorf("redistest: close: %v", err)
		}
	})
}
