package cacheaside_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

func TestNoQueuedLoadStartsAfterACloseWhoseTimeIsUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRegion(t, &scripted{}, policy(func(p *cacheaside.Policy) {
			p.SourceConcurrency, p.MaxOverduePerKey, p.AdmissionWait = 1, 1, time.Minute
		}))
		running := goGet(context.Background(), r, "running", obeying)
		synctest.Wait()
		queued := goGet(context.Background(), r, "queued", mustNotLoad(t))
		synctest.Wait()
		if err := r.Close(leavingAfter(t, 10*time.Millisecond)); !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("Close: %v", err)
		}
		for _, ended := range []<-chan outcome{running, queued} {
			o := <-ended
			wantRejected(t, o, cacheaside.ReasonClosed)
			if o.took != 10*time.Millisecond {
				t.Fatalf("released after %v", o.took)
			}
		}
		if err := r.Close(context.Background()); err != nil {
			t.Fatalf("Close again: %v", err)
		}
		wantEmpty(t, r)
	})
}
