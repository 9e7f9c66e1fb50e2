package correctness_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cacheaside/resilience/bench/peers/internal/correctness"
)

func TestAParentHearsItsChildThroughWhatLibrariesPrint(t *testing.T) {
	t.Parallel()
	var child, replies bytes.Buffer
	child.WriteString("a library prints\nand does not end its line")
	if err := correctness.SayOrder(&child, strings.NewReader("done\n")); err != nil {
		t.Fatal(err)
	}
	child.WriteString("\x1epeers not JSON\n")
	if err := correctness.SayOutcome(&child, map[string]int{"calls": 1}, nil); err != nil {
		t.Fatal(err)
	}
	child.WriteString("more of it")
	observation, notMeasured, failure, orders := correctness.Listen(&child, &replies)
	if observation != `{"calls":1}` || notMeasured != "" || failure != "" {
		t.Errorf("%q, %q, %q", observation, notMeasured, failure)
	}
	if len(orders) != 1 || orders[0] != "pause" || replies.String() != "done\n" {
		t.Errorf("orders %q, replies %q", orders, replies.String())
	}
}

func TestAChildTellsWhyItDidNotMeasure(t *testing.T) {
	t.Parallel()
	tests := []struct {
		err                  error
		notMeasured, failure string
	}{
		{&correctness.NotMeasured{Why: "not applicable: no store"}, "not applicable: no store", ""},
		{fmt.Errorf("wrapped: %w", &correctness.NotMeasured{Why: "why"}), "why", ""},
		{errors.New("no load began"), "", "no load began"},
	}
	for _, test := range tests {
		var said bytes.Buffer
		if err := correctness.SayOutcome(&said, nil, test.err); err != nil {
			t.Fatal(err)
		}
		observation, notMeasured, failure, _ := correctness.Listen(&said, nil)
		if observation != "" || notMeasured != test.notMeasured || failure != test.failure {
			t.Errorf("%v: %q, %q, %q", test.err, observation, notMeasured, failure)
		}
	}
}

func TestAnOrderEndsAsTheParentSays(t *testing.T) {
	t.Parallel()
	tests := []struct {
		reply     string
		ok, owned bool
	}{{"done\n", true, true}, {"not mine\n", false, false}, {"failed\n", false, true}, {"", false, true}}
	for _, test := range tests {
		err := correctness.SayOrder(&bytes.Buffer{}, strings.NewReader(test.reply))
		if (err == nil) != test.ok || correctness.IsNoControl(err) == test.owned {
			t.Errorf("%q: %v", test.reply, err)
		}
	}
}

func TestTheLastWordsOfAProcessAreThoseOfTheRuntime(t *testing.T) {
	t.Parallel()
	tests := []struct {
		complaints string
		err        error
		want       string
	}{
		{"log line\npanic: boom\n\ngoroutine 1 [running]:\n", errors.New("exit status 2"), "panic: boom"},
		{"fatal error: stack overflow\npanic: later\n", errors.New("exit status 2"), "fatal error: stack overflow"},
		{"only a log line\n", errors.New("exit status 1"), "exit status 1"},
		{"", nil, "without a word"},
	}
	for _, test := range tests {
		if got := correctness.LastWords(test.complaints, test.err); got != test.want {
			t.Errorf("%q: %q, want %q", test.complaints, got, test.want)
		}
	}
}
