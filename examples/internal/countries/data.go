package countries

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
)

//go:embed countries.csv
var table string

// Country is one row of ISO 3166-1.
type Country struct {
	Alpha2  string
	Alpha3  string
	Numeric uint16
	Name    string
}

// All gives every row, ordered by Alpha2. The slice is the caller's.
func All() ([]Country, error) {
	rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("countries: reading the table: %w", err)
	}
	all := make([]Country, 0, len(rows)-1)
	for _, row := range rows[1:] { // the first one names the columns
		numeric, err := strconv.ParseUint(row[2], 10, 16)
		if err != nil {
			return nil, fmt.Errorf("countries: numeric code of %s: %w", row[0], err)
		}
		all = append(all, Country{Alpha2: row[0], Alpha3: row[1], Numeric: uint16(numeric), Name: row[3]})
	}
	return all, nil
}
