package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// written puts the clock and the identity into a word.
func written(word string, now int64, identity string) string {
	if off, is := offset(word); is {
		return strconv.FormatInt(now+off, 10)
	}
	return strings.ReplaceAll(word, "{identity}", identity)
}

func offset(word string) (off int64, is bool) {
	text, is := strings.CutPrefix(word, "now")
	if !is || text == "" {
		return 0, is
	}
	off, err := strconv.ParseInt(text, 10, 64)
	return off, err == nil
}

// window is the time between the beginning and the end of a call.
type window struct {
	begun, ended int64
	identity     string
}

// slackMicros is how long a slow machine may take.
const slackMicros = int64(slack / time.Microsecond)

func (w window) like(word, want string) bool {
	number, err := strconv.ParseInt(word, 10, 64)
	switch want {
	case "number":
		return err == nil
	case "seconds":
		return err == nil && number >= w.begun/1e6 && number <= w.ended/1e6
	}
	if off, is := offset(want); is {
		return err == nil && number >= w.begun+off && number <= w.ended+off
	}
	if text, is := strings.CutPrefix(want, "left:"); is {
		most, _ := strconv.ParseInt(text, 10, 64)
		return err == nil && number <= most && number > most-min(slackMicros, most)
	}
	return word == strings.ReplaceAll(want, "{identity}", w.identity)
}

func (w window) judgeReply(s scene, reply string, called error) string {
	if s.fails != "" || called != nil {
		return judgeReply(promise{fails: s.fails}, 0, called)
	}
	words, want := strings.Split(reply, " "), strings.Split(s.reply, " ")
	if len(words) != len(want) {
		return fmt.Sprintf("it returned %q, not %q", reply, s.reply)
	}
	for i := range words {
		if !w.like(words[i], want[i]) {
			return fmt.Sprintf("it returned %q, not %q", reply, s.reply)
		}
	}
	return ""
}

func (w window) judgeKey(want, got held) string {
	switch {
	case want.kind != got.kind:
		return fmt.Sprintf("it is %q, not %q", got.kind, want.kind)
	case !w.like(got.text, want.text):
		return "another text is stored"
	case got.kind == "gone":
		return ""
	}
	if want.life == 0 {
		want.life = entryLife
	}
	if !near(got.life, want.life) {
		return fmt.Sprintf("its life is %v, not %v", got.life, want.life)
	}
	fields, wanted := got.pairs(), want.pairs()
	if len(fields) != len(wanted) {
		return fmt.Sprintf("its fields are %v", fields)
	}
	for name, value := range wanted {
		if !w.like(fields[name], value) {
			return fmt.Sprintf("its field %s is %q, not %q", name, fields[name], value)
		}
	}
	return ""
}
