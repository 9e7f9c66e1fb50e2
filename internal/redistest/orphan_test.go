package redistest_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/cacheaside/resilience/internal/redistest"
)

// envOrphan makes the test binary a program that starts a server, prints the
// server's directory and waits to be killed.
const envOrphan = "REDISTEST_ORPHAN"

func TestAServerDiesWithTheProgramThatStartedIt(t *testing.T) {
	if os.Getenv(envOrphan) != "" {
		startAndWait(t)
		return
	}
	t.Parallel()
	redistest.Require(t)
	if runtime.GOOS != "linux" {
		t.Skip("only Linux ties the life of a child to its parent")
	}
	program := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	program.Env = append(os.Environ(), envOrphan+"=1")
	if _, err := program.StdinPipe(); err != nil { // its end would let the program go on
		t.Fatal(err)
	}
	out, err := program.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	line, readErr := bufio.NewReader(out).ReadString('\n')
	killErr := program.Process.Kill()
	_ = program.Wait() // killed, as it was to be
	dir := strings.TrimSpace(line)
	if readErr != nil || killErr != nil {
		t.Fatal(readErr, killErr)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	err = redistest.Poll(t.Context(), time.Millisecond, func() error {
		conn, err := net.Dial("unix", filepath.Join(dir, "socket"))
		if err != nil {
			return nil
		}
		_ = conn.Close()
		return redistest.ErrNotYet
	})
	if err != nil {
		t.Errorf("the server outlives its program: %v", err)
	}
}

func startAndWait(t *testing.T) {
	process, err := redistest.StartProcess(context.Background(), redistest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println(process.Dir())
	_, _ = io.Copy(io.Discard, os.Stdin)
}
