package trial

import (
	"fmt"
	"runtime"
)

// The reports of a recorder that end its goroutine, as those of a test do.

func (r *recorder) FailNow() {
	r.note(true, false, "")
	runtime.Goexit()
}

func (r *recorder) Fatal(args ...any) {
	r.Error(args...)
	runtime.Goexit()
}

func (r *recorder) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	runtime.Goexit()
}

func (r *recorder) SkipNow() {
	r.note(false, true, "")
	runtime.Goexit()
}

func (r *recorder) Skip(args ...any) {
	r.note(false, true, fmt.Sprint(args...))
	runtime.Goexit()
}

func (r *recorder) Skipf(format string, args ...any) {
	r.note(false, true, fmt.Sprintf(format, args...))
	runtime.Goexit()
}

func (r *recorder) Failed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.finding.Failed
}

func (r *recorder) Skipped() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.finding.Skipped
}
