package hitpath_test

import (
	"testing"

	"github.com/cacheaside/resilience/bench/internal/live/hitpath"
)

func TestAProcessorIsSlowWithSHAOnlyWhereItSaysSo(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"":                                      false,
		"processor : 0\nmodel name : some\n":    false,
		"flags\t\t: fpu avx2 sha_ni\n":          false,
		"flags\t\t: fpu avx2\n":                 true,
		"Features\t: fp asimd aes sha1 sha2\n":  false,
		"Features\t: fp asimd\nflags: sha_ni\n": true,
	} {
		if got := hitpath.LacksSHAIn(text); got != want {
			t.Errorf("%q: %t, want %t", text, got, want)
		}
	}
}
