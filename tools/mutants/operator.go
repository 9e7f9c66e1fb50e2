package main

import (
	"fmt"
	"strings"
)

// operators are those that the tool replaces, by the kind of mutation, longest first where one begins another.
var operators = map[string][][2]string{
	"ARITHMETIC_BASE":       {{"+", "-"}, {"*", "/"}, {"/", "*"}, {"%", "*"}, {"-", "+"}},
	"CONDITIONALS_BOUNDARY": {{">=", ">"}, {">", ">="}, {"<=", "<"}, {"<", "<="}},
	"CONDITIONALS_NEGATION": {{"==", "!="}, {">=", "<"}, {">", "<="}, {"<=", ">"}, {"<", ">="}, {"!=", "=="}},
	"INCREMENT_DECREMENT":   {{"--", "++"}, {"++", "--"}},
	"INVERT_ASSIGNMENTS":    {{"+=", "-="}, {"*=", "/="}, {"/=", "*="}, {"-=", "+="}},
	"INVERT_BITWISE":        {{"&^", "&"}, {"&", "|"}, {"|", "&"}, {"^", "&"}, {"<<", ">>"}, {">>", "<<"}},
	"INVERT_BWASSIGN":       {{"&^=", "&="}, {"&=", "|="}, {"|=", "&="}, {"^=", "&="}, {"<<=", ">>="}, {">>=", "<<="}},
	"INVERT_LOGICAL":        {{"&&", "||"}, {"||", "&&"}},
	"INVERT_LOOPCTRL":       {{"break", "continue"}, {"continue", "break"}},
	"REMOVE_SELF_ASSIGNMENTS": {
		{"&^=", "="}, {"<<=", "="}, {">>=", "="}, {"+=", "="}, {"&=", "="}, {"*=", "="}, {"|=", "="}, {"/=", "="}, {"%=", "="}, {"-=", "="}, {"^=", "="},
	},
}

// change tells what the mutation made of its line.
func (m mutation) change(file, line string) (change, error) {
	if m.Column < 1 || m.Column > len(line) {
		return change{}, fmt.Errorf("%s:%d has no column %d: it is not the file that was mutated", file, m.Line, m.Column)
	}
	front, back := line[:m.Column-1], line[m.Column-1:]
	for _, pair := range operators[m.Type] {
		if rest, ok := strings.CutPrefix(back, pair[0]); ok {
			return change{file: file, before: strings.TrimSpace(line), after: strings.TrimSpace(front + pair[1] + rest)}, nil
		}
	}
	return change{}, fmt.Errorf("%s:%d:%d: %s has nothing to replace in %q", file, m.Line, m.Column, m.Type, back)
}
