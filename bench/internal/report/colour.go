package report

import (
	"io"
	"os"

	"github.com/jedib0t/go-pretty/v6/text"
	"golang.org/x/term"

	"github.com/cacheaside/resilience/bench/internal/result"
)

// isTerminal tells whether what is written is looked at as it comes.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// painted gives the word in the colour of the verdict.
func painted(colour bool, v result.Verdict, word string) string {
	switch {
	case !colour:
		return word
	case v == result.Fail:
		return text.Colors{text.Bold, text.FgRed}.Sprint(word)
	case v == result.Pass:
		return text.FgGreen.Sprint(word)
	default:
		return word
	}
}
