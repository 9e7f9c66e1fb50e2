package kit_test

import (
	"testing"

	"github.com/cacheaside/resilience/tools/killtable/internal/kit"
)

func TestHowATestEndedIsReadFromWhatItsProcessPrinted(t *testing.T) {
	t.Parallel()
	const failed = "=== RUN   TestA\n    a_test.go:5: got 1, want 2\n--- FAIL: TestA (0.00s)\n"
	for _, row := range []struct {
		name, output string
		succeeded    bool
		want         kit.Ending
		line         string
	}{
		{"green", "=== RUN   TestA\n--- PASS: TestA (0.00s)\nPASS\n", true, kit.Passed, ""},
		{"red by an assertion", failed + "FAIL\n", false, kit.Asserted, "a_test.go:5: got 1, want 2"},
		{
			"red by a part, after a log and a green part",
			"=== RUN   TestA\n    a_test.go:3: begun\n=== RUN   TestA/good\n    a_test.go:4: fine\n=== RUN   TestA/bad\n    a_test.go:6: not fine\n" +
				"--- FAIL: TestA (0.00s)\n    --- PASS: TestA/good (0.00s)\n    --- FAIL: TestA/bad (0.00s)\nFAIL\n",
			false, kit.Asserted, "a_test.go:6: not fine",
		},
		{
			"red by two parts",
			"=== RUN   TestA\n=== RUN   TestA/one\n    a_test.go:4: first\n=== RUN   TestA/two\n    a_test.go:6: second\n" +
				"--- FAIL: TestA (0.00s)\n    --- FAIL: TestA/one (0.00s)\n    --- FAIL: TestA/two (0.00s)\nFAIL\n",
			false, kit.Asserted, "a_test.go:4: first",
		},
		{"red without a word", "=== RUN   TestA\n--- FAIL: TestA (0.00s)\nFAIL\n", false, kit.Died, "failed without a word"},
		{"skipped", "=== RUN   TestA\n    a_test.go:7: no server\n--- SKIP: TestA (0.00s)\nPASS\n", true, kit.Skipped, "a_test.go:7: no server"},
		{"not there", "testing: warning: no tests to run\nPASS\n", true, kit.Missing, ""},
		{"of another name", "=== RUN   TestAB\n--- PASS: TestAB (0.00s)\nPASS\n", true, kit.Missing, ""},
		{
			"panicked", "=== RUN   TestA\n--- FAIL: TestA (0.00s)\npanic: index out of range [recovered, repanicked]\n\ngoroutine 1\n\ta_test.go:9: x\n",
			false, kit.Panicked, "panic: index out of range [recovered, repanicked]",
		},
		{"timed out", "=== RUN   TestA\npanic: test timed out after 1s\n\trunning tests:\n", false, kit.Hung, "panic: test timed out after 1s"},
		{
			"deadlocked after an assertion", failed + "panic: deadlock: all goroutines in bubble are blocked\n",
			false, kit.Hung, "a_test.go:5: got 1, want 2",
		},
		{"green in a process that fails", "=== RUN   TestA\n--- PASS: TestA (0.00s)\ngoleak: Errors\n", false, kit.Died, "the tests passed and the process failed"},
	} {
		got := kit.OutcomeOf(row.output, "TestA", row.succeeded)
		if got.Ending != row.want || got.Line != row.line {
			t.Errorf("%s: %v %q, want %v %q", row.name, got.Ending, got.Line, row.want, row.line)
		}
	}
}
