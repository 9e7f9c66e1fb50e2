package redisadapter_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"
	"go.uber.org/goleak"
)

// clientLog keeps what the client library logs, in all tests of the package, so that they can show what it never does.
type clientLog struct {
	mu    sync.Mutex
	lines []string
}

var theClientLog clientLog

func (l *clientLog) Printf(_ context.Context, format string, v ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, fmt.Sprintf(format, v...))
}

func (l *clientLog) matching(part string) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var found []string
	for _, line := range l.lines {
		if strings.Contains(line, part) {
			found = append(found, line)
		}
	}
	return found
}

func capturedLog() *clientLog { return &theClientLog }

func TestMain(m *testing.M) {
	redis.SetLogger(&theClientLog)
	goleak.VerifyTestMain(m)
}
