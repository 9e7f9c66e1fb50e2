// Package trial makes a check on a test that keeps what is reported to it, so that a suite can be tried on what it must refuse.
package trial

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
)

// Finding is how one check went.
type Finding struct {
	// Failed tells that the check found a fault; Messages tell which.
	Failed bool

	// Skipped tells that the subject cannot do what the check needs.
	Skipped bool

	// Panicked tells that what is checked or its harness panicked, with what; that is no finding of the check.
	Panicked any

	Messages []string
}

// Run makes one check on a test of its own and tells how it went. The parent lends the check what is not about reporting (TempDir, Setenv and the like)
// and is never failed; it may be nil for a check that uses none of it. What is left to Cleanup runs before Run returns.
func Run(parent testing.TB, name string, check func(testing.TB)) Finding {
	ctx, cancel := context.WithCancel(context.Background())
	r := &recorder{TB: parent, name: name, ctx: ctx}
	r.run(func() { check(r) })
	cancel()
	for cleanup := r.nextCleanup(); cleanup != nil; cleanup = r.nextCleanup() {
		r.run(cleanup)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.finding
}

// recorder is a test that keeps what is reported to it. The embedded test is what makes it one, and answers for the rest.
type recorder struct {
	testing.TB
	name string
	ctx  context.Context //nolint:containedctx // a test is asked for its context

	mu       sync.Mutex
	finding  Finding  // guarded by mu
	cleanups []func() // guarded by mu
}

// run keeps the end of a goroutine, which is how a test is failed or skipped at once, and a panic away from the caller.
func (r *recorder) run(step func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			if value := recover(); value != nil {
				r.mu.Lock()
				defer r.mu.Unlock()
				r.finding.Panicked = value
			}
		}()
		step()
	}()
	<-done
}

func (r *recorder) nextCleanup() func() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.cleanups) == 0 {
		return nil
	}
	last := len(r.cleanups) - 1
	cleanup := r.cleanups[last]
	r.cleanups = slices.Delete(r.cleanups, last, last+1)
	return cleanup
}

func (r *recorder) Cleanup(f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cleanups = append(r.cleanups, f)
}

func (r *recorder) note(failed, skipped bool, message string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.finding.Failed = r.finding.Failed || failed
	r.finding.Skipped = r.finding.Skipped || skipped
	if message != "" {
		r.finding.Messages = append(r.finding.Messages, message)
	}
}

func (r *recorder) Helper()                  {}
func (r *recorder) Name() string             { return r.name }
func (r *recorder) Context() context.Context { return r.ctx }

func (r *recorder) Log(args ...any) { r.note(false, false, fmt.Sprint(args...)) }
func (r *recorder) Logf(format string, args ...any) {
	r.note(false, false, fmt.Sprintf(format, args...))
}

func (r *recorder) Fail()             { r.note(true, false, "") }
func (r *recorder) Error(args ...any) { r.note(true, false, fmt.Sprint(args...)) }
func (r *recorder) Errorf(format string, args ...any) {
	r.note(true, false, fmt.Sprintf(format, args...))
}
