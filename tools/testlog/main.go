// Command testlog prints a go test -json stream from its standard input as go test itself would without -json: the output of what failed, one
// line a package, and at the end the tests that were skipped. With -save it also keeps the stream in a file for the evidence check.
//
// Usage:
//
//	go test -json ./... | testlog -save run.json
//
// It judges nothing: go test's own exit status does (set -o pipefail).
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	save := flag.String("save", "", "also write the stream to this `file`")
	flag.Parse()
	if err := run(os.Stdin, os.Stdout, *save); err != nil {
		fmt.Fprintln(os.Stderr, "testlog:", err)
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer, save string) (err error) {
	if save == "" {
		return render(in, out)
	}
	file, err := os.Create(save)
	if err != nil {
		return err
	}
	defer func() {
		if closed := file.Close(); err == nil {
			err = closed
		}
	}()
	return render(io.TeeReader(in, file), out)
}
