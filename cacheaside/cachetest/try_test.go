package cachetest_test

import (
	"slices"
	"testing"
	"time"

	"github.com/cacheaside/resilience/cacheaside/cachetest"
)

func TestAFindingTellsHowTheAssertionEnded(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		check func(t testing.TB)
		want  cachetest.Finding
	}{
		{"passed", func(testing.TB) {}, cachetest.Finding{}},
		{"logged", func(t testing.TB) { t.Log("one", "two"); t.Logf("%d", 3) }, cachetest.Finding{Messages: []string{"onetwo", "3"}}},
		{"errors", func(t testing.TB) { t.Errorf("first %d", 1); t.Error("second") }, cachetest.Finding{Failed: true, Messages: []string{"first 1", "second"}}},
		{"fatal", func(t testing.TB) { t.Fatalf("fatal %d", 1); t.Error("unreached") }, cachetest.Finding{Failed: true, Messages: []string{"fatal 1"}}},
		{"fatal without format", func(t testing.TB) { t.Fatal("fatal"); t.Error("unreached") }, cachetest.Finding{Failed: true, Messages: []string{"fatal"}}},
		{"failed", func(t testing.TB) { t.Fail() }, cachetest.Finding{Failed: true}},
		{"failed now", func(t testing.TB) { t.FailNow(); t.Error("unreached") }, cachetest.Finding{Failed: true}},
		{"skipped", func(t testing.TB) { t.Skipf("needs %s", "more"); t.Error("unreached") }, cachetest.Finding{Skipped: true, Messages: []string{"needs more"}}},
		{"skipped without format", func(t testing.TB) { t.Skip("needs more"); t.Error("unreached") }, cachetest.Finding{Skipped: true, Messages: []string{"needs more"}}},
		{"skipped now", func(t testing.TB) { t.SkipNow(); t.Error("unreached") }, cachetest.Finding{Skipped: true}},
		{"panicked", func(testing.TB) { panic("at the cache") }, cachetest.Finding{Panicked: "at the cache"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := cachetest.Try(t, probeOf(test.check), newModel(none))
			same := got.Failed == test.want.Failed && got.Skipped == test.want.Skipped && got.Panicked == test.want.Panicked
			if !same || !slices.Equal(got.Messages, test.want.Messages) {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
		})
	}
}

func TestAHarnessThatFailsIsAFinding(t *testing.T) {
	t.Parallel()
	finding := cachetest.Try(t, probeOf(func(testing.TB) {}), func(t testing.TB, _ cachetest.Options) cachetest.Subject {
		t.Fatal("no store")
		return cachetest.Subject{}
	})
	if !finding.Failed || !slices.Equal(finding.Messages, []string{"no store"}) {
		t.Errorf("got %+v", finding)
	}
}

func TestAnIncompleteSubjectFailsItsAssertion(t *testing.T) {
	t.Parallel()
	for _, cut := range []func(*cachetest.Subject){
		func(s *cachetest.Subject) { s.Cache = nil },
		func(s *cachetest.Subject) { s.Now = nil },
		func(s *cachetest.Subject) { s.Advance = nil },
	} {
		finding := cachetest.Try(t, cachetest.Assertions()[0], func(t testing.TB, opt cachetest.Options) cachetest.Subject {
			subject := newModel(none)(t, opt)
			cut(&subject)
			return subject
		})
		if !finding.Failed || finding.Panicked != nil {
			t.Errorf("got %+v, want a failure", finding)
		}
	}
}

func TestASubjectThatCanDoLittleSkipsAndDoesNotFail(t *testing.T) {
	t.Parallel()
	skipped := 0
	for _, assertion := range cachetest.Assertions() {
		finding := cachetest.Try(t, assertion, func(t testing.TB, opt cachetest.Options) cachetest.Subject {
			whole := newModel(none)(t, opt)
			return cachetest.Subject{Cache: plain{whole.Cache}, Now: whole.Now, Advance: whole.Advance}
		})
		if finding.Failed || finding.Panicked != nil {
			t.Errorf("%s: %+v", assertion.Name, finding)
		}
		if finding.Skipped {
			skipped++
		}
	}
	if skipped == 0 || skipped == len(cachetest.Assertions()) {
		t.Errorf("%d assertions are skipped", skipped)
	}
}

// TestAStoreThatForgetsByItselfPasses has an entry gone at the very moment at which the other model tells it as expired.
func TestAStoreThatForgetsByItselfPasses(t *testing.T) {
	t.Parallel()
	for _, assertion := range cachetest.Assertions() {
		finding := cachetest.Try(t, assertion, func(t testing.TB, opt cachetest.Options) cachetest.Subject {
			subject := newModel(none)(t, opt)
			advance := subject.Advance
			subject.Advance = func(d time.Duration) {
				advance(d)
				storeOf(subject.Cache).forget(subject.Now())
			}
			return subject
		})
		if finding.Failed || finding.Panicked != nil {
			t.Errorf("%s: %+v", assertion.Name, finding)
		}
	}
}

func TestCleanupsRunLastFirstAndBeforeTryReturns(t *testing.T) {
	t.Parallel()
	var order []string
	cachetest.Try(nil, probeOf(func(t testing.TB) {
		t.Cleanup(func() { order = append(order, "first") })
		t.Cleanup(func() {
			order = append(order, "last")
			if t.Context().Err() == nil {
				t.Error("the context outlives the assertion")
			}
			t.Cleanup(func() { order = append(order, "from a cleanup") })
		})
		if t.Context().Err() != nil {
			t.Error("the context is done while the assertion runs")
		}
		t.Fatal("ends here")
	}), newModel(none))
	if want := []string{"last", "from a cleanup", "first"}; !slices.Equal(order, want) {
		t.Errorf("the order is %q, want %q", order, want)
	}
}

func TestARecordedTestAnswersForItself(t *testing.T) {
	t.Parallel()
	a := probeOf(func(t testing.TB) {
		if t.Name() != "a probe" || t.Failed() || t.Skipped() {
			panic("a test that has not failed")
		}
		if t.TempDir() == "" {
			panic("no directory from the parent")
		}
		t.Fail()
		if !t.Failed() {
			panic("a test that has failed")
		}
	})
	if finding := cachetest.Try(t, a, newModel(none)); finding.Panicked != nil {
		t.Errorf("it is not %v", finding.Panicked)
	}
}

func probeOf(check func(t testing.TB)) cachetest.Assertion {
	return cachetest.Assertion{Name: "a probe", Check: func(t testing.TB, _ cachetest.Subject) { check(t) }}
}
