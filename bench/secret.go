package main

import "regexp"

// masked is a text without what could be a secret in its URLs: what stands before the host, and what stands behind a question mark. A password may
// hold slashes, for people forget to encode them; what goes to the last @ of a word is taken for one.
func masked(text string) string {
	text = regexp.MustCompile(`://[^\s"]*@`).ReplaceAllString(text, "://…@")
	return regexp.MustCompile(`(://[^\s"?]*\?)[^\s"]*`).ReplaceAllString(text, "$1…")
}
