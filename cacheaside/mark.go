package cacheaside

// markedError is a source's error with the kind that its repository gave it. It keeps the error's text and chain: it is still the source's error,
// and whoever meets it before [Classify] sees what the source said.
type markedError struct {
	error

	kind outcomeKind
	code string
}

func (e *markedError) Unwrap() error { return e.error }

// MarkAbsent marks err as the source's authoritative word that there is no such value; a nil err stays nil. [Classify] takes the mark wherever
// it is in the error's tree.
func MarkAbsent(err error, reason string) error { return mark(err, outcomeAbsent, reason) }

// MarkTransient marks err as a failure that may pass; a nil err stays nil. [Classify] takes the mark wherever it is in the error's tree.
func MarkTransient(err error, code string) error { return mark(err, outcomeTransient, code) }

// MarkPermanent marks err as a refusal for good; a nil err stays nil. [Classify] takes the mark wherever it is in the error's tree.
func MarkPermanent(err error, code string) error { return mark(err, outcomePermanent, code) }

func mark(err error, kind outcomeKind, code string) error {
	if err == nil {
		return nil
	}
	return &markedError{error: err, kind: kind, code: code}
}

// markOf finds the marks in the tree of err. Marks of one kind agree, and the outermost names the code; marks of different kinds contradict each
// other, which is unclassified.
func markOf(err error) (kind outcomeKind, code string, marked bool) {
	walkErrors(err, func(e error) {
		found, ok := e.(*markedError) //nolint:errorlint // every node of the tree is visited
		switch {
		case !ok:
		case !marked:
			kind, code, marked = found.kind, found.code, true
		case found.kind != kind:
			kind = outcomeUnclassified
		}
	})
	return kind, code, marked
}

func walkErrors(err error, visit func(error)) {
	for err != nil {
		visit(err)
		switch wrapper := err.(type) { //nolint:errorlint // the tree is walked node by node
		case interface{ Unwrap() error }:
			err = wrapper.Unwrap()
		case interface{ Unwrap() []error }:
			for _, branch := range wrapper.Unwrap() {
				walkErrors(branch, visit)
			}
			return
		default:
			return
		}
	}
}
