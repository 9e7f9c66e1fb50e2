package redisadapter

import "strings"

// answer is one setting as a server told it, or why it did not.
type answer struct {
	value   string // in lower case; "" if it is not known
	reason  string // why not
	refused refusal
}

// refusedAnswer is what there is of a setting when the command that shows it was refused.
func refusedAnswer(command string, r refusal) answer {
	return answer{reason: command + ": " + r.text, refused: r}
}

func (a answer) known() bool { return a.value != "" }

// infoFields are the fields of an INFO reply that was given.
type infoFields map[string]string

// contradicted is the value of a field that was told twice, and differently, as by something that puts the replies of several servers together.
const contradicted = "several values"

// readInfo reads the lines name:value of an INFO reply, in any case and with either line end. What is no such line is left out.
func readInfo(text string) infoFields {
	fields := infoFields{}
	for line := range strings.Lines(text) {
		name, value, found := strings.Cut(strings.TrimSpace(line), ":")
		if !found || strings.HasPrefix(name, "#") {
			continue
		}
		name, value = strings.ToLower(strings.TrimSpace(name)), strings.ToLower(strings.TrimSpace(value))
		if former, twice := fields[name]; twice && former != value {
			value = contradicted
		}
		fields[name] = value
	}
	return fields
}

// plain gives the first of the named fields that is there, if it is a word fit to be repeated.
func (f infoFields) plain(names ...string) answer {
	for _, name := range names {
		if value, there := f[name]; there {
			return plain(value)
		}
	}
	return answer{reason: "missing in what the server answers"}
}

// plain takes a value for what it says only if it is a word: what a server says is repeated in errors and logs.
func plain(value string) answer {
	const longest = 64
	odd := func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' && r != '_' && r != '.'
	}
	switch {
	case value == "":
		return answer{reason: "empty"}
	case value == contradicted:
		return answer{reason: "told differently in one answer"}
	case len(value) > longest, strings.ContainsFunc(value, odd):
		return answer{reason: "not a word"}
	}
	return answer{value: value}
}

// parseFlatReply reads the strings of a reply in any shape, an array, a map or a single one, from its bytes on the wire. It knows no nesting and no
// strings with line ends, which no setting has.
func parseFlatReply(raw string) []string {
	var texts []string
	sized := false // the line before announced this one, whatever it begins with
	for line := range strings.SplitSeq(strings.TrimSuffix(raw, "\r\n"), "\r\n") {
		switch {
		case sized:
			texts, sized = append(texts, line), false
		case strings.HasPrefix(line, "$") && !strings.HasPrefix(line, "$-"):
			sized = true
		case strings.HasPrefix(line, "+"):
			texts = append(texts, line[1:])
		}
	}
	return texts
}
