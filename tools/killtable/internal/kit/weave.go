package kit

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// piece is an edit of one file and where it goes.
type piece struct {
	row        string
	at         int
	old, fresh string
}

func (p piece) same(other piece) bool {
	return p.at == other.at && p.old == other.old && p.fresh == other.fresh
}

// weave gives the text of a file with all edits of it in place. Every Old is looked for in the text as it was, so that the order of rows means
// nothing, and no two edits may touch the same text.
func weave(file, text string, rows []Row) (string, error) {
	pieces, err := piecesOf(file, text, rows)
	if err != nil {
		return "", err
	}
	slices.SortStableFunc(pieces, func(a, b piece) int { return cmp.Compare(a.at, b.at) })
	pieces = slices.CompactFunc(pieces, piece.same)
	var woven strings.Builder
	done, last := 0, ""
	for _, p := range pieces {
		if p.at < done {
			err = errors.Join(err, fmt.Errorf("%s: changes the same text of %s as %s", p.row, file, last))
			continue
		}
		woven.WriteString(text[done:p.at])
		woven.WriteString(p.fresh)
		done, last = p.at+len(p.old), p.row
	}
	woven.WriteString(text[done:])
	return woven.String(), err
}

func piecesOf(file, text string, rows []Row) ([]piece, error) {
	var pieces []piece
	var faults []error
	for _, row := range rows {
		for _, e := range row.Edits {
			if e.File != file {
				continue
			}
			n := strings.Count(text, e.Old)
			if e.Old == "" || n != 1 {
				faults = append(faults, fmt.Errorf("%s: its pattern is in %s %d times and must be there once: %s", row.Name, file, n, firstLine(e.Old)))
				continue
			}
			pieces = append(pieces, piece{row: row.Name, at: strings.Index(text, e.Old), old: e.Old, fresh: row.switched(e.New)})
		}
	}
	return pieces, errors.Join(faults...)
}

func firstLine(text string) string {
	line, _, more := strings.Cut(strings.TrimSpace(text), "\n")
	if more {
		line += " ..."
	}
	return line
}
