// Package report turns a result.Document into what people read: a page in HTML with its plots inside, the same data as JSON, each plot as an SVG
// file, and tables for a terminal. It measures nothing and judges nothing; every verdict is the document's.
//
// The same document gives the same bytes. Functions only read the document and are safe for concurrent use on different folders and writers.
package report
