package report

import (
	"errors"
	"fmt"

	"github.com/cacheaside/resilience/bench/internal/report/plain"
	"github.com/cacheaside/resilience/bench/internal/result"
)

// Write writes report.html, results.json and plots/*.svg below dir, which it makes where it is missing. The page needs nothing else, neither the
// other files nor a network. Numbers that are not finite are null in results.json and a dash on the page. Whatever fails, a file that was there
// before is then whole, old or new; files of an earlier report that this one has no plot for are left alone.
func Write(dir string, doc *result.Document) error {
	if doc == nil {
		return errors.New("report: document is nil: there is nothing to write")
	}
	data, err := plain.JSON(doc)
	if err != nil {
		return fmt.Errorf("report: results.json: %w", err)
	}
	drawn, err := drawAll(doc)
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	page, err := render(newPage(doc, drawn))
	if err != nil {
		return fmt.Errorf("report: report.html: %w", err)
	}
	files := []file{{path: "results.json", data: data}}
	for _, d := range drawn.all() {
		files = append(files, file{path: d.path, data: d.svg.File()})
	}
	return writeAll(dir, append(files, file{path: "report.html", data: page}))
}
