package redistest_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/cacheaside/resilience/internal/redistest"
)

func TestADirectoryIsRemovedAlthoughAChildGoesOnWritingIntoIt(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "server")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	var begun, ended sync.WaitGroup
	for writer := range 4 {
		begun.Add(1)
		ended.Go(func() {
			for n, end := 0, time.Now().Add(100*time.Millisecond); n == 0 || time.Now().Before(end); n++ {
				_ = os.WriteFile(filepath.Join(dir, fmt.Sprint(writer, n)), nil, 0o600) // fails once the directory is gone
				if n == 0 {
					begun.Done()
				}
			}
		})
	}
	begun.Wait()
	if err := redistest.Remove(dir); err != nil {
		t.Error(err)
	}
	ended.Wait()
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the directory is still there: %v", err)
	}
}
