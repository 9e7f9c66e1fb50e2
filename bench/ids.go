package main

import (
	"fmt"
	"slices"
	"strings"
)

// idList is the value of a flag that names ids with commas between them; given again, it names more of them.
type idList struct{ text string }

func (l *idList) String() string { return l.text }

// Set takes what a command line says. The zero list and "all" are replaced by the first that names any.
func (l *idList) Set(text string) error {
	if l.text == "" || l.text == "all" {
		l.text = text
		return nil
	}
	l.text += "," + text
	return nil
}

// split gives the ids of a list, without the spaces that people write behind commas.
func split(list string) []string {
	ids := strings.Split(list, ",")
	for n := range ids {
		ids[n] = strings.TrimSpace(ids[n])
	}
	return ids
}

// pick keeps the ids of a list, in the order of those known.
func pick(name, list string, known []string, where string) ([]string, error) {
	if list == "all" {
		return known, nil
	}
	wanted := split(list)
	for _, id := range wanted {
		if !slices.Contains(known, id) {
			return nil, fmt.Errorf("%s names %q, must be of %s%s", name, id, strings.Join(known, ", "), where)
		}
	}
	return slices.DeleteFunc(slices.Clone(known), func(id string) bool { return !slices.Contains(wanted, id) }), nil
}
