package main

import (
	"bytes"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/cacheaside/resilience/internal/redistest"
)

const told = `
The first read asks the source, the second one does not.
  JP  Loaded       source reads: 1  Japan, recorded: Applied
  JP  Fresh        source reads: 0  Japan

Two minutes later the value is due for a refresh, but another process has locked the file.
  JP  Stale        source reads: 1  Japan, since: cacheaside: region country: transient source failure (sqlite_busy)

Ten more, and the value is past its hard expiry: an error is better than an answer that old.
  JP  Failed       source reads: 1  cacheaside: region country: transient source failure (sqlite_busy)

The lock is gone. What the source says does not exist is remembered too.
  XX  Absent       source reads: 1  cacheaside: region country: absent at the source (absent)
  XX  NegativeHit  source reads: 0  cacheaside: region country: absent by a cached answer

One slow read is running, and the policy allows no second one.
  DE  Rejected     source reads: 0  cacheaside: region country: rejected (AdmissionTimeout)
  FR  Fresh        source reads: 0  France

Somebody renames a country: write the source, then invalidate.
  CZ  Loaded       source reads: 1  Czechia, recorded: Applied
  CZ  Loaded       source reads: 1  Czech Republic, recorded: Applied
`

func TestTheStoryIsTheSameOnEitherCache(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		args  []string
		title string
	}{
		"embedded": {nil, "249 countries in a SQLite file, read through a cache in this process.\n"},
		"redis":    {[]string{"-redis", "auto"}, "249 countries in a SQLite file, read through Redis.\n"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if len(test.args) > 0 {
				redistest.Require(t)
			}
			var out bytes.Buffer
			if err := run(t.Context(), test.args, &out); err != nil {
				t.Fatal(err)
			}
			if want := test.title + told; out.String() != want {
				t.Errorf("told:\n%s\nwant:\n%s", out.String(), want)
			}
		})
	}
}

func TestWhatCannotBeDoneIsSaidInOneLine(t *testing.T) {
	t.Parallel()
	nobody := closedAddress(t)
	tests := map[string]struct {
		args []string
		want string
	}{
		"unknown flag":       {[]string{"-rediss", "x"}, "-rediss"},
		"flag without value": {[]string{"-redis"}, "-redis"},
		"argument":           {[]string{"auto"}, `unexpected argument "auto"`},
		"not a URL":          {[]string{"-redis", "http://127.0.0.1/"}, "redis"},
		"nobody answers":     {[]string{"-redis", "redis://" + silentAddress(t)}, "redis cannot be reached"},
		"nobody listens":     {[]string{"-redis", "redis://user:hunter2@" + nobody}, "redis cannot be reached: dial tcp " + nobody},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			begun := time.Now()
			err := run(t.Context(), test.args, &out)
			if err == nil {
				t.Fatal("no error")
			}
			if text := err.Error(); !strings.Contains(text, test.want) || strings.Contains(text, "hunter2") || strings.Contains(text, "\n") {
				t.Errorf("error %q, want one line with %q and no password", text, test.want)
			}
			if out.Len() > 0 {
				t.Errorf("printed %q", out.String())
			}
			if took := time.Since(begun); took > 2*pingLimit {
				t.Errorf("took %s", took)
			}
		})
	}
}

func TestHelpIsGivenWithoutAnError(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if err := run(t.Context(), []string{"-h"}, &out); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "-redis URL") {
		t.Errorf("help %q does not tell the flag", out.String())
	}
}

// closedAddress is a loopback address on which nobody listens any more.
func closedAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

// silentAddress is a loopback address that takes connections and never says a word.
func silentAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	return listener.Addr().String()
}
