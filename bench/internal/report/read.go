package report

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/cacheaside/resilience/bench/internal/result"
)

// Read reads the results.json of a report, so that it can be drawn again. A number that was null is 0 then. Fields that this version does not know
// are an error, for they would be lost without a word.
func Read(path string) (*result.Document, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	defer func() { _ = f.Close() }() // it was only read
	decoder := json.NewDecoder(f)
	decoder.DisallowUnknownFields()
	var doc result.Document
	if err := decoder.Decode(&doc); err != nil {
		return nil, fmt.Errorf("report: %s: %w", path, err)
	}
	return &doc, nil
}
