package kit

// OutcomeOf tells what became of a test by what its process printed.
func OutcomeOf(output, test string, succeeded bool) Outcome {
	return parse(output).outcome(test, succeeded)
}
