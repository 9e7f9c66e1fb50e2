package redistest

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// patience bounds every wait of this package.
const patience = 10 * time.Second

// errNotYet is what a polled condition returns to be asked again.
var errNotYet = errors.New("redistest: not yet")

// poll asks until at once, and then every interval, until it returns anything
// but errNotYet, or ctx or the package's patience ends. For states of other
// processes, which send no event.
func poll(ctx context.Context, interval time.Duration, until func() error) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		err := until()
		if !errors.Is(err, errNotYet) {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w: %w", err, ctx.Err())
		case <-ticker.C:
		}
	}
}
