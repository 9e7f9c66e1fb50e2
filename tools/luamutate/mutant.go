package main

import (
	"fmt"
	"strings"
)

// mutant is one way to break a script: a text that stands in it once, and what to put there. The text may reach over lines, to tell one place from
// another; what changes is only the part in which the two differ.
type mutant struct{ text, instead, breaks string }

// apply gives the broken script.
func (m mutant) apply(source string) (string, error) {
	if n := strings.Count(source, m.text); n != 1 {
		return "", fmt.Errorf("%q stands there %d times, not once", m.text, n)
	}
	if m.text == m.instead {
		return "", fmt.Errorf("%q is to be replaced by itself", m.text)
	}
	return strings.Replace(source, m.text, m.instead, 1), nil
}

// differs gives the part of the text that changes, as offsets into it, widened to at least one byte.
func (m mutant) differs() (from, to int) {
	shorter := min(len(m.text), len(m.instead))
	for from < shorter && m.text[from] == m.instead[from] {
		from++
	}
	back := 0
	for back < shorter-from && m.text[len(m.text)-1-back] == m.instead[len(m.instead)-1-back] {
		back++
	}
	return min(from, len(m.text)-1), max(len(m.text)-back, from+1)
}

// lines gives the numbers of the lines that change, none if the text does not stand there once.
func (m mutant) lines(source string) []int {
	if strings.Count(source, m.text) != 1 {
		return nil
	}
	from, to := m.differs()
	before := source[:strings.Index(source, m.text)] + m.text[:from]
	first := 1 + strings.Count(before, "\n")
	var numbers []int
	for i := range 1 + strings.Count(strings.TrimSuffix(m.text[from:to], "\n"), "\n") {
		numbers = append(numbers, first+i)
	}
	return numbers
}
