//go:build !linux

package redistest

import (
	"context"
	"fmt"
	"net"
	"os/exec"
	"strconv"
	"syscall"
)

// childAttr asks for nothing: only Linux ties the life of a child to its parent.
func childAttr() *syscall.SysProcAttr { return nil }

// bindHolder finds a free loopback port. It cannot hold it, since elsewhere
// than on Linux a bound socket keeps the server itself out as well; a port
// lost to somebody else shows when the server fails to bind.
func bindHolder() (port int, release func(), err error) {
	listener, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		return 0, nil, fmt.Errorf("redistest: find a port: %w", err)
	}
	port = listener.Addr().(*net.TCPAddr).Port
	return port, func() {}, listener.Close()
}

// stopProcess suspends pid by way of the kill program, because the signal has
// no name on every platform Go compiles for.
func stopProcess(ctx context.Context, pid int) error {
	return signalByName(ctx, "STOP", pid)
}

// continueProcess lets a suspended pid go on.
func continueProcess(pid int) error {
	return signalByName(context.Background(), "CONT", pid)
}

func signalByName(ctx context.Context, name string, pid int) error {
	if out, err := exec.CommandContext(ctx, "kill", "-"+name, strconv.Itoa(pid)).CombinedOutput(); err != nil {
		return fmt.Errorf("redistest: signal %s: %w: %s", name, err, out)
	}
	return nil
}
