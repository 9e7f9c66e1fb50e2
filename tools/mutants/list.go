package main

import (
	"fmt"
	"strings"
)

// change is what tells one mutant from the others, for as long as its line stays as it is: the file, slash-separated from the root, and the line
// before and after, without the space around it.
type change struct{ file, before, after string }

func (c change) String() string { return fmt.Sprintf("%s: %s => %s", c.file, c.before, c.after) }

// survivor is one entry of the list.
type survivor struct {
	change
	reason string
}

// parseList reads the entries of the list: under a heading of the third order with the file's name in backquotes, a diff block of one line before
// and one after, and the reason below it, up to the next block or heading.
func parseList(document string) ([]survivor, error) {
	var list []survivor
	file, inside := "", false
	for number, line := range strings.Split(document, "\n") {
		text := strings.TrimSpace(line)
		switch {
		case inside && text == "```":
			inside = false
			if last := list[len(list)-1]; last.before == "" || last.after == "" {
				return nil, fmt.Errorf("line %d: a block must hold the line before and the line after", number+1)
			}
		case inside:
			last := &list[len(list)-1]
			if err := last.take(text); err != nil {
				return nil, fmt.Errorf("line %d: %w", number+1, err)
			}
		case strings.HasPrefix(text, "#"):
			file = ""
			if name, ok := strings.CutPrefix(text, "### `"); ok {
				file, _, _ = strings.Cut(name, "`")
			}
		case text == "```diff":
			if file == "" {
				return nil, fmt.Errorf("line %d: a block must stand under the heading of a file", number+1)
			}
			inside = true
			list = append(list, survivor{change: change{file: file}})
		case file != "" && text != "" && len(list) > 0:
			last := &list[len(list)-1]
			last.reason = strings.TrimSpace(last.reason + " " + text)
		}
	}
	if inside {
		return nil, fmt.Errorf("the last block does not end")
	}
	return list, nil
}

// take reads one line of a diff block.
func (s *survivor) take(text string) error {
	switch {
	case strings.HasPrefix(text, "-") && s.before == "":
		s.before = strings.TrimSpace(text[1:])
	case strings.HasPrefix(text, "+") && s.after == "":
		s.after = strings.TrimSpace(text[1:])
	default:
		return fmt.Errorf("a block holds one line with a minus and one with a plus")
	}
	return nil
}
