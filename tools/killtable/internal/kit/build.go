package kit

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
)

// binary is the test binary of one package, with all sabotages of its rows inside.
type binary struct {
	path   string
	folder string // where its tests run
}

// build compiles the tests of one package with the sabotages of the rows. into is a folder of its own.
func build(ctx context.Context, root, into, pkg string, race bool, rows []Row) (*binary, error) {
	o, err := newOverlay(root, into, rows)
	if err != nil {
		return nil, err
	}
	list, err := o.write()
	if err != nil {
		return nil, err
	}
	b := &binary{path: filepath.Join(into, "sabotaged.test"), folder: filepath.Join(root, filepath.FromSlash(pkg))}
	args := []string{"test", "-c", "-overlay", list, "-ldflags=-s -w", "-o", b.path}
	if race {
		args = append(args, "-race")
	}
	cmd := exec.CommandContext(ctx, "go", append(args, "./"+pkg)...)
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("the tests of %s do not build with the sabotages in place: %w\n%s", pkg, err, strings.TrimSpace(string(out)))
	}
	return b, nil
}
