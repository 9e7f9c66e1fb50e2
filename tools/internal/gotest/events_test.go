package gotest_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/cacheaside/resilience/tools/internal/gotest"
)

func TestReadTellsEventsFromOtherLines(t *testing.T) {
	t.Parallel()
	stream := `# example.com/a
{"Action":"run","Package":"example.com/a","Test":"TestOne"}
{"Action":"output","Package":"example.com/a","Test":"TestOne","Output":"hello\n"}
{"not":"an event"}
{"Action":"pass","Package":"example.com/a","Test":"TestOne","Elapsed":0.1}
`
	var events []gotest.Event
	var plain []string
	err := gotest.Read(strings.NewReader(stream), func(e gotest.Event) { events = append(events, e) }, func(l string) { plain = append(plain, l) })
	if err != nil {
		t.Fatal(err)
	}
	want := []gotest.Event{
		{Action: "run", Package: "example.com/a", Test: "TestOne"},
		{Action: "output", Package: "example.com/a", Test: "TestOne", Output: "hello\n"},
		{Action: "pass", Package: "example.com/a", Test: "TestOne"},
	}
	if !slices.Equal(events, want) {
		t.Errorf("events = %v, want %v", events, want)
	}
	if want := []string{"# example.com/a", `{"not":"an event"}`}; !slices.Equal(plain, want) {
		t.Errorf("plain lines = %q, want %q", plain, want)
	}
}

func TestReadReportsALineThatIsTooLong(t *testing.T) {
	t.Parallel()
	line := strings.NewReader(strings.Repeat("x", 16<<20+1))
	if err := gotest.Read(line, func(gotest.Event) {}, func(string) {}); err == nil {
		t.Error("a line over the bound was read without an error")
	}
}
