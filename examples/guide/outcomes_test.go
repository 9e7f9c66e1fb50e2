package guide_test

import (
	"context"
	"errors"
	"expvar"
	"net/http"
	"testing"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/cacheaside/memory"
	"github.com/cacheaside/resilience/examples/guide"
)

func TestEveryEndingHasAnHTTPStatus(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		load cacheaside.Loader[string, int]
		want int
	}{
		"loaded":    {always(cacheaside.Loaded(7, "")), http.StatusOK},
		"absent":    {always(cacheaside.AuthoritativeAbsent[int]("gone", "")), http.StatusNotFound},
		"transient": {always(cacheaside.TransientFailure[int]("busy", errors.New("busy"))), http.StatusBadGateway},
		"permanent": {always(cacheaside.PermanentFailure[int]("refused", errors.New("no"))), http.StatusInternalServerError},
		"unknown":   {always(cacheaside.Unclassified[int](errors.New("what"))), http.StatusInternalServerError},
		"too late":  {always(cacheaside.Cancelled[int](context.DeadlineExceeded)), http.StatusGatewayTimeout},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := cacheaside.Get(t.Context(), newRegion(t, nil), "key", test.load)
			if got := guide.HTTPStatus(err); got != test.want {
				t.Errorf("%v is answered with %d, want %d", err, got, test.want)
			}
		})
	}
}

func TestARefusalIsServiceUnavailable(t *testing.T) {
	t.Parallel()
	region := newRegion(t, nil)
	if err := region.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	_, err := cacheaside.Get(t.Context(), region, "key", always(cacheaside.Loaded(7, "")))
	if got := guide.HTTPStatus(err); got != http.StatusServiceUnavailable {
		t.Errorf("%v is answered with %d", err, got)
	}
}

func TestCountersCountByEnding(t *testing.T) {
	t.Parallel()
	counts := new(expvar.Map)
	region := newRegion(t, guide.Counters(counts))
	for range 3 {
		if _, err := cacheaside.Get(t.Context(), region, "key", always(cacheaside.Loaded(7, ""))); err != nil {
			t.Fatal(err)
		}
	}
	if err := cacheaside.Invalidate(t.Context(), region, "key"); err != nil {
		t.Fatal(err)
	}
	if err := region.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	_, _ = cacheaside.Get(t.Context(), region, "key", always(cacheaside.Loaded(7, "")))
	want := map[string]string{
		"number.Get.Loaded": "1", "number.Get.Fresh": "2", "number.Get.Rejected.Closed": "1",
		"number.Load.Loaded": "1", "number.Record.Applied": "1", "number.Invalidate.Applied": "1",
	}
	counts.Do(func(kv expvar.KeyValue) {
		if want[kv.Key] != kv.Value.String() {
			t.Errorf("%s = %s, want %q", kv.Key, kv.Value, want[kv.Key])
		}
		delete(want, kv.Key)
	})
	for name := range want {
		t.Errorf("%s was not counted", name)
	}
}

func always(outcome cacheaside.SourceOutcome[int]) cacheaside.Loader[string, int] {
	return func(context.Context, string) cacheaside.SourceOutcome[int] { return outcome }
}

func newRegion(t *testing.T, observer cacheaside.Observer) *cacheaside.Region[string, int] {
	t.Helper()
	cache, err := memory.New(memory.Config[string, int]{
		TTL: memory.TTL{Soft: time.Minute, Hard: time.Hour, Negative: time.Minute}, MaxEntries: 10,
	})
	if err != nil {
		t.Fatal(err)
	}
	region, err := cacheaside.NewRegion(cacheaside.RegionConfig[string, int]{
		Name: "number", Cache: cache, Policy: cacheaside.StrictPolicy(), Observer: observer,
	})
	if err != nil {
		t.Fatal(err)
	}
	return region
}
