// Package gotest reads the event streams of go test -json.
package gotest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
)

// Event is one line of a go test -json stream, with the fields that are used here.
type Event struct {
	Action  string
	Package string
	Test    string // "" for what concerns the whole package
	Output  string
}

// maxLine bounds one line of a stream. go test cuts the output of a test into lines, and a line that a test printed may be long.
const maxLine = 16 << 20

// Read calls event for each event of the stream and plain for each line that is none, such as what a compiler prints.
func Read(stream io.Reader, event func(Event), plain func(line string)) error {
	lines := bufio.NewScanner(stream)
	lines.Buffer(make([]byte, 64<<10), maxLine)
	for lines.Scan() {
		var e Event
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil || e.Action == "" {
			plain(lines.Text())
			continue
		}
		event(e)
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("reading test events: %w", err)
	}
	return nil
}
