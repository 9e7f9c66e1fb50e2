package report

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// file is one to be written, its path relative to the report's folder.
type file struct {
	path string
	data []byte
}

// writeAll writes the files below dir. All are written beside their places first and take them at the end, so that a failure or an interruption
// leaves each path with its old content or its new one, never with a part.
func writeAll(dir string, files []file) (err error) {
	var pending []string // temporary names, as long as they are not in their places
	defer func() {
		for _, name := range pending {
			err = errors.Join(err, os.Remove(name))
		}
	}()
	for _, f := range files {
		place := filepath.Join(dir, f.path)
		if err := os.MkdirAll(filepath.Dir(place), 0o755); err != nil {
			return fmt.Errorf("report: %w", err)
		}
		temporary, err := os.CreateTemp(filepath.Dir(place), ".new-*")
		if err != nil {
			return fmt.Errorf("report: %w", err)
		}
		pending = append(pending, temporary.Name())
		if err := fill(temporary, f.data); err != nil {
			return fmt.Errorf("report: %s: %w", f.path, err)
		}
	}
	for _, f := range files {
		if err := os.Rename(pending[0], filepath.Join(dir, f.path)); err != nil {
			return fmt.Errorf("report: %w", err)
		}
		pending = pending[1:]
	}
	return nil
}

// fill writes and closes the file. It is on the disk before it takes the place of another one.
func fill(f *os.File, data []byte) error {
	_, err := f.Write(data)
	return errors.Join(err, f.Chmod(0o644), f.Sync(), f.Close())
}
