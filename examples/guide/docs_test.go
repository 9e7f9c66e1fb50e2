package guide_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestEveryGoBlockOfTheDocsIsCompiledCode looks for each ```go block of the pages among the lines of the compiled examples, indentation aside.
// A line of three dots alone stands for lines that the page leaves out.
func TestEveryGoBlockOfTheDocsIsCompiledCode(t *testing.T) {
	t.Parallel()
	const root = "../.."
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	code := exampleLines(t)
	blocks := 0
	for _, page := range append(pages, filepath.Join(root, "README.md")) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range goBlocks(string(text)) {
			blocks++
			for _, part := range split(block, "...") {
				if !slices.ContainsFunc(code, func(file []string) bool { return contains(file, part) }) {
					t.Errorf("%s shows code that no example has:\n%s", page, strings.Join(part, "\n"))
				}
			}
		}
	}
	if blocks == 0 {
		t.Error("no Go block found in any page")
	}
}

// exampleLines gives the lines of each Go file of this module, without indentation and empty lines.
func exampleLines(t *testing.T) [][]string {
	t.Helper()
	var files [][]string
	err := filepath.WalkDir("..", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" {
			return err
		}
		text, err := os.ReadFile(path)
		files = append(files, trimmed(string(text)))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func goBlocks(page string) [][]string {
	var blocks [][]string
	for _, rest := range strings.Split(page, "```go\n")[1:] {
		block, _, _ := strings.Cut(rest, "```")
		blocks = append(blocks, trimmed(block))
	}
	return blocks
}

func trimmed(text string) []string {
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

func split(lines []string, at string) [][]string {
	var parts [][]string
	for len(lines) > 0 {
		end := slices.Index(lines, at)
		if end < 0 {
			end = len(lines)
		}
		parts = append(parts, lines[:end])
		lines = lines[min(end+1, len(lines)):]
	}
	return parts
}

// contains tells whether part is a run of consecutive lines.
func contains(lines, part []string) bool {
	for start := range len(lines) - len(part) + 1 {
		if slices.Equal(lines[start:start+len(part)], part) {
			return true
		}
	}
	return false
}
