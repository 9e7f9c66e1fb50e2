// Command preview writes a report without measuring anything: from a results.json, or from an invented document to see what a report looks like.
//
//	go run ./internal/report/preview -out DIR [results.json]
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/cacheaside/resilience/bench/internal/report"
	"github.com/cacheaside/resilience/bench/internal/report/sample"
)

func main() {
	out := flag.String("out", "", "folder to write report.html, results.json and plots/ to")
	flag.Parse()
	if err := preview(*out, flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func preview(out, results string) error {
	if out == "" {
		return fmt.Errorf("-out is empty: it must name a folder")
	}
	doc := sample.Document()
	if results != "" {
		read, err := report.Read(results)
		if err != nil {
			return err
		}
		doc = read
	}
	if err := report.Write(out, doc); err != nil {
		return err
	}
	if err := report.Table(os.Stdout, doc); err != nil {
		return err
	}
	_, err := fmt.Println(filepath.Join(out, "report.html"))
	return err
}
