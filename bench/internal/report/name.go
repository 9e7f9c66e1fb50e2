package report

import (
	"strconv"
	"strings"
)

// namer makes names that are unique without regard to case, out of letters, digits, dots, underscores and hyphens alone: fit for a file on every
// system and for an id in a page.
type namer map[string]bool

const longestName = 80

// name gives one that is like the text, or like the substitute where that leaves nothing.
func (n namer) name(text, substitute string) string {
	base := slug(text)
	if base == "" {
		base = substitute
	}
	name := base
	for i := 2; n[strings.ToLower(name)]; i++ {
		name = base + "-" + strconv.Itoa(i)
	}
	n[strings.ToLower(name)] = true
	return name
}

func slug(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '.':
			b.WriteRune(r)
		case !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() >= longestName {
			break
		}
	}
	return strings.Trim(b.String(), "-.")
}
