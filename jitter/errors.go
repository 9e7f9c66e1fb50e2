package jitter

// FieldError names one fault of a configuration. Several come joined by
// [errors.Join]: errors.As finds the first, Unwrap() []error all of them.
type FieldError struct {
	// Field is the name of a field of [Policy], or of a parameter.
	Field string
	// Value is what the field holds; of a key, its length.
	Value string
	// Rule is the rule that was broken, as a phrase: "must be ...".
	Rule string
}

// Error reads as a sentence: field, value, rule.
func (e *FieldError) Error() string {
	return "jitter: " + e.Field + " (" + e.Value + ") " + e.Rule
}
