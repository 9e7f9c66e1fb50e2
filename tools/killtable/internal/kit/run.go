package kit

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"time"
)

// killAfter is how much longer than its own watchdog a test binary may run.
const killAfter = 5 * time.Second

// run runs tests of the binary in one process, with one sabotage on, or with none if name is "", and tells what became of each.
func (b *binary) run(ctx context.Context, name string, limit time.Duration, tests ...string) ([]Outcome, error) {
	ctx, cancel := context.WithTimeout(ctx, limit+killAfter)
	defer cancel()
	quoted := make([]string, len(tests))
	for i, test := range tests {
		quoted[i] = regexp.QuoteMeta(test)
	}
	cmd := exec.CommandContext(ctx, b.path, "-test.v", "-test.count=1", "-test.timeout="+limit.String(),
		"-test.run=^("+strings.Join(quoted, "|")+")$")
	cmd.Dir = b.folder
	cmd.Env = append(os.Environ(), switchVariable+"="+name, "RAPID_NOFAILFILE=1") // a red test must leave nothing in the folder that it runs in
	cmd.WaitDelay = time.Second
	output, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && ctx.Err() == nil {
		return nil, fmt.Errorf("running the tests of %s: %w", b.folder, err)
	}
	seen := parse(string(output))
	if ctx.Err() != nil {
		seen.panicked = "panic: killed, since it outlived even its own deadlock: test timed out after " + limit.String()
	}
	outcomes := make([]Outcome, len(tests))
	for i, test := range tests {
		outcomes[i] = seen.outcome(test, err == nil)
		outcomes[i].Output = string(output)
	}
	return outcomes, nil
}
