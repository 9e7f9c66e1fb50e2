package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// writable tells before anything is measured whether there can be a report below dir. It leaves nothing behind.
func writable(dir string) error {
	var made []string // directories that were not there, the deepest first
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(at); !errors.Is(err, os.ErrNotExist) || at == filepath.Dir(at) {
			break
		}
		made = append(made, at)
	}
	defer func() {
		for _, at := range made {
			_ = os.Remove(at) // of those that it could not make there are none
		}
	}()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("-out: %w", err)
	}
	probe, err := os.CreateTemp(dir, ".new-*")
	if err != nil {
		return fmt.Errorf("-out: %w", err)
	}
	if err := errors.Join(probe.Close(), os.Remove(probe.Name())); err != nil {
		return fmt.Errorf("-out: %w", err)
	}
	return nil
}
