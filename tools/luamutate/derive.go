package main

import (
	"regexp"
	"strings"
)

// rewriting is one way to break any line of a script.
type rewriting struct {
	old     *regexp.Regexp
	instead string
	breaks  string
}

var rewritings = []rewriting{
	{regexp.MustCompile(`redis\.pcall\(`), "redis.call(", "raises"},
	{regexp.MustCompile(`\bif .* then`), "if true then", "takes every case for this one"},
	{regexp.MustCompile(`\bif .* then`), "if false then", "never takes this case"},
	{regexp.MustCompile(` == `), " ~= ", "turns a comparison around"},
	{regexp.MustCompile(` ~= `), " == ", "turns a comparison around"},
	{regexp.MustCompile(` < `), " > ", "turns an order around"},
	{regexp.MustCompile(` >= `), " < ", "turns an order around"},
	{regexp.MustCompile(` > `), " < ", "turns an order around"},
	{regexp.MustCompile(` and `), " or ", "is content with one of two"},
	{regexp.MustCompile(` or `), " and ", "wants both of two"},
	{regexp.MustCompile(`\bnot `), "", "turns a condition around"},
	{regexp.MustCompile(`\breturn [0-9]\b`), "return 9", "returns another code"},
	{regexp.MustCompile(`\breturn '[0-9]`), "return '9", "returns another code"},
	{regexp.MustCompile(`\breturn leave\([0-9]\)`), "return leave(9)", "returns another code"},
	{regexp.MustCompile(`\breturn leave\((.*)\)$`), "return $1", "leaves what was staged"},
	{regexp.MustCompile(`\breturn '-'`), "return '+'", "returns another text"},
	{regexp.MustCompile(`\breturn ('[^']*'|[a-z]+) \.\. `), "return 'x' .. ", "returns another text"},
	{regexp.MustCompile(`%\.0f`), "%.2f", "writes a fraction"},
	{regexp.MustCompile(`\breturn time\[1\]`), "return time[2]", "takes the parts of a second for seconds"},
	{regexp.MustCompile(`^\s*return [a-z]+$`), "return 9", "returns a code for an error or a text"},
	{regexp.MustCompile(`\breturn nil, `), "return 9, ", "returns a code beside what it was asked for"},
	{regexp.MustCompile(`, 'PX', ARGV\[[0-9]\]`), "", "writes for ever"},
	{regexp.MustCompile(`, 'NX'`), "", "replaces what is there"},
	{regexp.MustCompile(`math\.max\(`), "math.min(", "takes the lesser"},
	{regexp.MustCompile(`math\.min\(`), "math.max(", "takes the greater"},
	{regexp.MustCompile(` \+ 1\b`), " + 0", "does not count on"},
	{regexp.MustCompile(`^(\s*)redis\.pcall\(.*$`), "${1}local _", "leaves a command out"},
	{regexp.MustCompile(`(HSET|HMGET)', KEYS\[([0-9])\], '`), "$1', KEYS[$2], 'x", "mistakes a field"},
	{regexp.MustCompile(`'request', (''|ARGV\[[0-9]\])`), "'request', 'x'", "writes another request"},
	{regexp.MustCompile(`'expires', (0|expires|'0')`), "'expires', '1'", "writes another expiry"},
	{regexp.MustCompile(`KEYS\[1\]`), "KEYS[2]", "takes one key for another"},
	{regexp.MustCompile(`KEYS\[2\]`), "KEYS[1]", "takes one key for another"},
	{regexp.MustCompile(`KEYS\[3\]`), "KEYS[1]", "takes one key for another"},
	{regexp.MustCompile(`ARGV\[1\]`), "ARGV[2]", "takes one argument for another"},
	{regexp.MustCompile(`ARGV\[[2-9]\]`), "ARGV[1]", "takes one argument for another"},
}

// derived gives the mutants that rewriting every line of a script makes.
func derived(source string) []mutant {
	var mutants []mutant
	seen := map[string]bool{source: true}
	lines := strings.SplitAfter(source, "\n")
	for number, line := range lines {
		if strings.HasPrefix(strings.TrimSpace(line), "--") {
			continue
		}
		line, remark, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " --")
		if remark != "" {
			remark = " --" + remark
		}
		for _, r := range rewritings {
			for _, at := range r.old.FindAllStringSubmatchIndex(line, -1) {
				broken := line[:at[0]] + string(r.old.ExpandString(nil, r.instead, line, at)) + line[at[1]:]
				m := widened(lines, number, line+remark, broken+remark)
				m.breaks = r.breaks
				if whole, err := m.apply(source); err == nil && !seen[whole] {
					seen[whole] = true
					mutants = append(mutants, m)
				}
			}
		}
	}
	return mutants
}

// widened takes as many lines in front as tell the place from every other.
func widened(lines []string, number int, line, broken string) mutant {
	source, front := strings.Join(lines, ""), ""
	for from := number; ; from-- {
		if from < number {
			front = lines[from] + front
		}
		if from == 0 || strings.Count(source, front+line+"\n") == 1 {
			return mutant{text: front + line + "\n", instead: front + broken + "\n"}
		}
	}
}
