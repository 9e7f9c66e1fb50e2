package correctness

import (
	"bufio"
	"encoding/json"
	"io"
	"strings"
)

// listen follows a child: it has its orders carried out and gives what it says last. The zero line is that of a child that ended without a word.
func listen(from io.Reader, to io.Writer, do func(order) string) (last line) {
	lines := bufio.NewReader(from)
	for {
		text, err := lines.ReadString('\n')
		if body, ours := strings.CutPrefix(text, linePrefix); ours {
			var l line
			if json.Unmarshal([]byte(body), &l) == nil {
				if l.Order == "" {
					last = l
				} else if _, err := io.WriteString(to, do(l.Order)); err != nil {
					return last // it is gone, and its end will be told by Wait
				}
			}
		}
		if err != nil {
			return last
		}
	}
}
