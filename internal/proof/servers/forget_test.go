package servers_test

import (
	"testing"

	"github.com/cacheaside/resilience/internal/redistest"
)

// TestC99_ScriptsForgottenInTheMiddleOfARunAreSentAgainAndExecutedOnce flushes the scripts every few milliseconds, also between a command and its
// repetition as text. Nothing fails meanwhile, so that every mutation is applied, and executed exactly as often as it is told.
func TestC99_ScriptsForgottenInTheMiddleOfARunAreSentAgainAndExecutedOnce(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Options{})
	admin := server.Client()
	executed := watch(server)
	tr := newTrial(t, server.Client(), setup{mix: mix{small: 40, large: 5, absence: 15, invalidate: 30}})
	tr.start()
	for i := range rounds(t, 150) {
		if err := admin.ScriptFlush(t.Context()).Err(); err != nil {
			t.Fatal(err)
		}
		tr.await("mutations", 3, named("applied"))
		if i%100 == 99 {
			executed.take(tr)
		}
	}
	tr.conclude(t.Context())
	tr.sweep(t.Context(), admin)
	for what, n := range tr.book.snapshot() {
		if n > 0 && !named("applied", "lookup ", "get ", "invalidation applied", "shop invalidation applied")(what) {
			t.Errorf("%d times %s", n, what)
		}
	}
	executed.judge(tr, true)
	if byName, asText := executed.commands["EVALSHA"], executed.commands["EVAL"]; asText < 50 || byName < asText {
		t.Errorf("%d scripts by name, %d as text: too little was forgotten in the middle", byName, asText)
	}
}
