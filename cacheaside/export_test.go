package cacheaside

// Decide shows the pure decision to its table.
func Decide(kind LookupKind, entry EntryKind, observed bool, policy Policy) (next string, retain, write, unavailable bool) {
	s := decide(kind, entry, observed, policy)
	names := map[action]string{actionAnswer: "answer", actionAbsence: "absence", actionRefuse: "refuse", actionLoad: "load"}
	return names[s.action], s.retain, s.write, s.unavailable
}
