package sim

import (
	"context"
	"errors"
	"sync"
	"time"
)

var errBreakerOpen = errors.New("store: breaker open")

const (
	failuresToOpen = 3
	openFor        = time.Second
)

// breaker is a model of the Redis adapter's: three failures in a row open it, and then one probe a second finds out whether the store is back.
type breaker struct {
	probe func(context.Context) error

	mu     sync.Mutex
	inRow  int
	open   bool
	ended  bool
	next   *time.Timer
	cancel context.CancelFunc // of a probe under way
}

func (b *breaker) isOpen() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.open
}

func (b *breaker) succeeded() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.inRow = 0
}

func (b *breaker) failed(error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.open || b.ended {
		return
	}
	if b.inRow++; b.inRow >= failuresToOpen {
		b.open = true
		b.next = time.AfterFunc(openFor, b.ask)
	}
}

// ask probes once, and again after a second if there was no answer.
func (b *breaker) ask() {
	ctx, cancel := context.WithCancel(context.Background())
	b.mu.Lock()
	ended := b.ended
	b.cancel = cancel
	b.mu.Unlock()
	defer cancel()
	if ended {
		return
	}
	err := b.probe(ctx)
	b.mu.Lock()
	defer b.mu.Unlock()
	if err == nil {
		b.open, b.inRow = false, 0
	} else if !b.ended {
		b.next = time.AfterFunc(openFor, b.ask)
	}
}

func (b *breaker) end() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ended = true
	if b.next != nil {
		b.next.Stop()
	}
	if b.cancel != nil {
		b.cancel()
	}
}
