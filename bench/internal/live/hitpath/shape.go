package hitpath

import (
	"strconv"
	"strings"
)

// Order is a value of many small fields: 10 KB of it hold some 150 lines.
type Order struct {
	Number   int64
	Customer string
	Lines    []Line
}

// Line is one of an [Order].
type Line struct {
	Article string
	Amount  int32
	Price   float64
	Wrapped bool
	Remark  string
}

// What the parts of an order take in msgpack, about.
const (
	orderBytes = 96
	lineBytes  = 92
)

func orderOf(bytes int) Order {
	o := Order{Number: 1<<40 + 3, Customer: "someone with a name of more than the usual length, and two titles"}
	for i := range max(1, (bytes-orderBytes)/lineBytes) {
		o.Lines = append(o.Lines, Line{Article: "article-" + strconv.Itoa(1000+i), Amount: 2, Price: 24.5, Remark: "leave it with the neighbours"})
	}
	return o
}

func opaqueOf(bytes int) []byte { return []byte(strings.Repeat("x", bytes)) }
