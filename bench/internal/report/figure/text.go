package figure

import (
	"strings"
	"unicode"
)

// Clean gives text that is one line of valid UTF-8 without control characters, so that it can neither break an XML file nor steer a terminal.
// Spaces at its ends and repeated spaces are dropped.
func Clean(text string) string {
	text = strings.ToValidUTF8(text, "\ufffd")
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), r == '\ufffe', r == '\uffff':
			return -1
		default:
			return r
		}
	}, text)
	return strings.Join(strings.Fields(text), " ")
}

// Plain is text for a terminal: Clean, and with ordinary spaces.
func Plain(text string) string { return Clean(strings.ReplaceAll(text, thin, " ")) }

// Name is a contender's id and name in one, Clean, without saying the same twice.
func Name(id, name string) string {
	id, name = Clean(id), Clean(name)
	if strings.HasPrefix(name, id) {
		return name
	}
	return Clean(id + " " + name)
}
