package sim

import (
	"errors"
	"math"
	"sync/atomic"
	"time"
)

var errKilled = errors.New("node: killed")

// process is a node as its operating system sees it. Its code cannot be stopped here, but nothing of what it does reaches the store.
type process struct {
	wakes atomic.Int64 // when it goes on that was suspended, in Unix nanoseconds; never is dead
}

const never = math.MaxInt64

// awake waits for a suspended process to go on, and refuses a dead one.
func (p *process) awake() error {
	for {
		switch wakes := p.wakes.Load(); {
		case wakes == 0:
			return nil
		case wakes == never:
			return errKilled
		default:
			wait := time.Until(time.Unix(0, wakes))
			if wait <= 0 {
				return nil
			}
			time.Sleep(wait)
		}
	}
}

func (p *process) kill() { p.wakes.Store(never) }

func (p *process) suspend(until time.Time) { p.wakes.Store(until.UnixNano()) }
