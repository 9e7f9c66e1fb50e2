package kit

// Ending is how one test ended.
type Ending uint8

// The endings. The zero value is none of them.
const (
	Passed   Ending = iota + 1
	Asserted        // failed, by an assertion that told something
	Skipped         // and so showed nothing
	Missing         // there is no such test, or it did not run
	Panicked        // the process ended by a panic, which is no assertion
	Hung            // the process ended by a watchdog, or since all its goroutines waited for each other
	Died            // the process ended in any other way, or the test failed without a word
)

// String is a word or two for a reader.
func (e Ending) String() string {
	return [...]string{"", "green", "red", "skipped", "missing", "panicked", "hung", "died"}[e]
}

// Outcome is what became of one test.
type Outcome struct {
	Test   string
	Ending Ending
	Line   string // the first that the failing test printed, or that tells the panic
	Output string // of the whole process
}
