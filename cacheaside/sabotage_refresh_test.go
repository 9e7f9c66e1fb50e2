package cacheaside_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

func TestCallersWithAStaleValueShareOneRefresh(t *testing.T) {
	for _, row := range []struct {
		name        string
		refreshWait time.Duration
		status      cacheaside.Status
	}{
		{"that all of them wait for", 0, cacheaside.StatusLoaded},
		{"that none of them waits for", cacheaside.DontWait, cacheaside.StatusStale},
	} {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				const callers = 20
				cache := &scripted{lookup: always(stale("old", time.Now().Add(time.Hour)))}
				region := newRegion(t, cache, policy(func(p *cacheaside.Policy) { p.ServeStale.RefreshWait = row.refreshWait }))
				source := newGate(cacheaside.Loaded("new", ""))
				var ended []<-chan outcome
				for range callers {
					ended = append(ended, goGet(context.Background(), region, "key", source.load))
					synctest.Wait()
				}
				if calls, _ := source.counts(); calls != 1 {
					t.Errorf("%d refreshes of one stale value, want one", calls)
				}
				close(source.open)
				for _, end := range ended {
					if o := <-end; o.err != nil || o.result.Status != row.status {
						t.Errorf("got %v %q, error %v; want %v", o.result.Status, o.result.Value, o.err, row.status)
					}
				}
			})
		})
	}
}
