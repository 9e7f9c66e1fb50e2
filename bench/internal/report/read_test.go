package report_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/cacheaside/resilience/bench/internal/report"
	"github.com/cacheaside/resilience/bench/internal/report/sample"
)

func TestAReportIsDrawnAgainFromItsData(t *testing.T) {
	t.Parallel()
	dir, _ := written(t, sample.Document())
	document, err := report.Read(filepath.Join(dir, "results.json"))
	if err != nil {
		t.Fatal(err)
	}
	again, _ := written(t, document)
	if !reflect.DeepEqual(contents(t, dir), contents(t, again)) {
		t.Error("the second report is another one")
	}
}

func TestDataThatIsNotADocumentIsRefused(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "results.json")
	if _, err := report.Read(path); err == nil || !strings.HasPrefix(err.Error(), "report: ") {
		t.Errorf("a file that is not there gives %v", err)
	}
	for _, text := range []string{"", "{", `{"seed": "seven"}`, `{"colour": "red"}`} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := report.Read(path); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%q gives %v, want an error that names the file", text, err)
		}
	}
}
