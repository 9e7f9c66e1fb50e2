package faults_test

import (
	"context"
	"slices"
	"testing"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/internal/redistest"
)

// TestC51_AnEntryIsOneKeyOfTheServerWhateverItsNameAndGoesWithIt records keys that are named like the side keys of others.
func TestC51_AnEntryIsOneKeyOfTheServerWhateverItsNameAndGoesWithIt(t *testing.T) {
	t.Parallel()
	admin := redistest.Start(t, redistest.Options{}).Client()
	p := newPlace(t, admin, longLimit)
	ctx := context.Background()
	names := []string{"a", "a:created", "a:lock", "a:meta"}
	physical := map[string]string{} // by name
	for _, name := range names {
		known := admin.Keys(ctx, "*").Val()
		p.write(t, name, "value of "+name)
		for _, k := range admin.Keys(ctx, "*").Val() {
			if !slices.Contains(known, k) {
				physical[name] = k
			}
		}
	}
	if size := admin.DBSize(ctx).Val(); size != int64(len(names)) || len(physical) != len(names) {
		t.Fatalf("%d keys for %d entries, %d of them told apart", size, len(names), len(physical))
	}
	for _, gone := range names {
		if deleted := admin.Del(ctx, physical[gone]).Val(); deleted != 1 {
			t.Fatalf("%d keys were deleted", deleted)
		}
		for _, name := range names {
			found := p.direct.Lookup(ctx, name)
			switch there := found.Kind == cacheaside.LookupFresh || found.Kind == cacheaside.LookupStale; {
			case name == gone && (found.Kind != cacheaside.LookupMiss || found.Miss != cacheaside.MissAbsent):
				t.Errorf("%s was deleted and is %v", name, found.Kind)
			case name != gone && (!there || found.Value != "value of "+name):
				t.Errorf("%s went with %s: %v %q", name, gone, found.Kind, found.Value)
			}
		}
		p.write(t, gone, "value of "+gone)
		if size := admin.DBSize(ctx).Val(); size != int64(len(names)) {
			t.Errorf("%d keys for %d entries", size, len(names))
		}
		for _, k := range admin.Keys(ctx, "*").Val() {
			if !slices.Contains([]string{physical["a"], physical["a:created"], physical["a:lock"], physical["a:meta"]}, k) {
				t.Errorf("a key that no entry had before: %q", k)
			}
		}
	}
}
