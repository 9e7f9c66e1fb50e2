package redistest_test

import (
	"fmt"
	"runtime"
	"testing"
)

// verdict records how a helper ends a test, instead of ending it.
type verdict struct {
	testing.TB
	skipped, failed string
}

func (v *verdict) Helper() {}

func (v *verdict) Skipf(format string, args ...any) {
	v.skipped = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

func (v *verdict) Fatal(args ...any) {
	v.failed = fmt.Sprint(args...)
	runtime.Goexit()
}

func (v *verdict) Fatalf(format string, args ...any) {
	v.failed = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

// on returns what f does to a test that otherwise is t.
func on(t *testing.T, f func(testing.TB)) *verdict {
	v := &verdict{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		f(v)
	}()
	<-done
	return v
}
