package redistest

import (
	"fmt"
	"strings"
)

// Status is the bytes of a simple string reply, such as "OK". It holds no line
// end.
func Status(s string) []byte { return fmt.Appendf(nil, "+%s\r\n", s) }

// Error is the bytes of an error reply; s begins with its code, such as
// "LOADING", and holds no line end.
func Error(s string) []byte { return fmt.Appendf(nil, "-%s\r\n", s) }

// Integer is the bytes of an integer reply.
func Integer(n int64) []byte { return fmt.Appendf(nil, ":%d\r\n", n) }

// Bulk is the bytes of a string reply of any content.
func Bulk(s string) []byte { return fmt.Appendf(nil, "$%d\r\n%s\r\n", len(s), s) }

// Null is the bytes of the reply that stands for nothing there.
func Null() []byte { return []byte("$-1\r\n") }

// Array is the bytes of an array of replies.
func Array(replies ...[]byte) []byte {
	array := fmt.Appendf(nil, "*%d\r\n", len(replies))
	for _, reply := range replies {
		array = append(array, reply...)
	}
	return array
}

// unknownCommand is what a server of before protocol 3 says to HELLO.
func unknownCommand(name string) []byte {
	return Error("ERR unknown command '" + strings.ToLower(name) + "'")
}
