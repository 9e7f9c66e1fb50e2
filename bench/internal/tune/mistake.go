package tune

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"
)

// FileError is one thing that is wrong with a file. A joined error of [Read] or [Parse] holds one for each, in the order of the file.
type FileError struct {
	File  string // as it was named; "" for a text
	Line  int    // 0 where the field stands on no line, such as one that the file leaves out
	Field string // "users.rate"; "" for the file as a whole
	Value string // as the file has it; "" where there is none
	Rule  string
	Cause error // a *cacheaside.FieldError where the policy's own rules say so, or why the file could not be read
}

// Error is one line: file, line, field, value, rule, as far as there are any.
func (m *FileError) Error() string {
	text := m.Rule
	switch {
	case m.Field != "" && m.Value != "":
		text = fmt.Sprintf("%s is %s, %s", m.Field, m.Value, m.Rule)
	case m.Field != "":
		text = m.Field + " " + m.Rule
	}
	switch {
	case m.File != "" && m.Line > 0:
		return fmt.Sprintf("%s:%d: %s", m.File, m.Line, text)
	case m.File != "":
		return m.File + ": " + text
	case m.Line > 0:
		return fmt.Sprintf("line %d: %s", m.Line, text)
	}
	return text
}

// Unwrap gives the cause.
func (m *FileError) Unwrap() error { return m.Cause }

// mistakes gathers what is wrong with one file.
type mistakes struct {
	file string
	list []*FileError
}

func (m *mistakes) add(line int, field, value, rule string) {
	m.list = append(m.list, &FileError{File: m.file, Line: line, Field: field, Value: value, Rule: rule})
}

// err joins them in the order of the file, those without a line last.
func (m *mistakes) err() error {
	slices.SortStableFunc(m.list, func(a, b *FileError) int {
		if (a.Line == 0) != (b.Line == 0) {
			return cmp.Compare(b.Line, a.Line)
		}
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Field, b.Field))
	})
	var all []error
	for _, mistake := range m.list {
		all = append(all, mistake)
	}
	return errors.Join(all...)
}

const longestValue = 60

// written writes a value of TOML on one line, as a file would have it, and not at any length.
func written(value any) string {
	text := ""
	switch v := value.(type) {
	case map[string]any:
		return "a table"
	case []map[string]any, []any:
		return "an array"
	case string:
		text = fmt.Sprintf("%q", v)
	case time.Time:
		text = v.Format(time.RFC3339)
	default:
		text = fmt.Sprint(v)
	}
	if letters := []rune(text); len(letters) > longestValue {
		return string(letters[:longestValue]) + "…"
	}
	return text
}
