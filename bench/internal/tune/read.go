package tune

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// longestFile is in bytes; what a hand writes is far shorter.
const longestFile = 64 << 10

// deepest is how many dots and opening brackets a line may have outside of a comment. A table of a thousand levels takes the parser minutes.
const deepest = 64

// Read gives the configuration that a file holds. The error is every [FileError] in it, joined, one line each.
func Read(path string) (Config, error) {
	text, err := contents(path)
	if err != nil {
		return Config{}, err
	}
	return parse(path, text)
}

func contents(path string) (string, error) {
	unreadable := func(err error) error {
		if why, ok := errors.AsType[*fs.PathError](err); ok {
			err = why.Err
		}
		return &FileError{File: path, Rule: "cannot be read: " + err.Error(), Cause: err}
	}
	if about, err := os.Stat(path); err == nil && !about.Mode().IsRegular() { // a pipe may have nobody who ever writes
		return "", &FileError{File: path, Rule: "cannot be read: must be a regular file"}
	}
	file, err := os.Open(path)
	if err != nil {
		return "", unreadable(err)
	}
	defer func() { _ = file.Close() }()
	text, err := io.ReadAll(io.LimitReader(file, longestFile+1))
	switch {
	case err != nil:
		return "", unreadable(err)
	case len(text) > longestFile:
		return "", &FileError{File: path, Rule: "is too long: must be at most 64 KiB"}
	}
	return string(text), nil
}

// Parse gives the configuration that a text holds; its mistakes name no file.
func Parse(text string) (Config, error) { return parse("", text) }

func parse(file, text string) (Config, error) {
	if line := tooDeep(text); line > 0 {
		return Config{}, &FileError{File: file, Line: line, Rule: fmt.Sprintf("is nested too deeply: a line may have at most %d dots and opening brackets", deepest)}
	}
	r := reader{mistakes: mistakes{file: file}, text: text, config: standard()}
	top, err := plant(text)
	if err != nil {
		return Config{}, syntax(file, err)
	}
	r.config.set = make(map[string]int)
	r.document(top)
	r.agree()
	r.validate()
	if err := r.err(); err != nil {
		return Config{}, err
	}
	return r.config, nil
}

// tooDeep gives the number of the first line that is, or 0.
func tooDeep(text string) int {
	number := 0
	for line := range strings.Lines(text) {
		number++
		line, _, _ = strings.Cut(line, "#")
		if strings.Count(line, ".")+strings.Count(line, "[")+strings.Count(line, "{") > deepest {
			return number
		}
	}
	return 0
}

func syntax(file string, err error) error {
	mistake := &FileError{File: file, Rule: "is not TOML: " + err.Error(), Cause: err}
	if at, ok := errors.AsType[toml.ParseError](err); ok {
		mistake.Line, mistake.Rule = at.Position.Line, "is not TOML: "+at.Message
	}
	mistake.Rule = strings.Join(strings.Fields(mistake.Rule), " ")
	return mistake
}

// reader makes a configuration of a text, and notes what is wrong with it.
type reader struct {
	mistakes
	text   string
	config Config
}

func (r *reader) document(top node) {
	names := []string{}
	for _, s := range sections() {
		names = append(names, s.name)
		if at, there := top.fields[s.name]; there {
			r.section("", s, at)
		}
	}
	names = append(names, "fault")
	if at, there := top.fields["fault"]; there { // after run.length, which its times are held against
		r.troubles(at)
	}
	for name, at := range top.fields {
		if !slices.Contains(names, name) {
			r.unknown(at.line, toml.Key{name}.String(), "the file", names)
		}
	}
}

func (r *reader) section(prefix string, s section, at node) {
	path := prefix + s.name
	if at.fields == nil {
		r.add(at.line, path, written(at.value), "must be a table, ["+path+"]")
		return
	}
	for _, f := range s.fields {
		given, there := at.fields[f.name]
		if !there {
			continue
		}
		r.config.set[path+"."+f.name] = given.line
		if rule := f.read(&r.config, given.value); rule != "" {
			r.add(given.line, path+"."+f.name, written(given.value), rule)
		}
	}
	for _, t := range s.tables {
		if given, there := at.fields[t.name]; there {
			r.section(path+".", t, given)
		}
	}
	for name, given := range at.fields {
		if !slices.Contains(s.names(), name) {
			r.unknown(given.line, path+"."+toml.Key{name}.String(), "["+path+"]", s.names())
		}
	}
}

func (r *reader) unknown(line int, field, where string, names []string) {
	r.add(line, field, "", "is unknown: "+where+" has "+strings.Join(names, ", "))
}
