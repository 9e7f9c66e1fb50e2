package redistest

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"syscall"
	"time"
)

// childAttr makes the server die with this process: a test binary that is
// killed or times out runs no cleanup and must not leave servers behind.
func childAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}

// bindHolder binds a loopback port chosen by the kernel without listening on
// it. The bind is exclusive; allowing address reuse only afterwards lets a
// server that asks for reuse listen on the port, while nobody else is given it.
func bindHolder() (port int, release func(), err error) {
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return 0, nil, fmt.Errorf("redistest: hold a port: %w", err)
	}
	if err := syscall.Bind(fd, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		syscall.Close(fd)
		return 0, nil, fmt.Errorf("redistest: hold a port: %w", err)
	}
	addr, err := syscall.Getsockname(fd)
	if err == nil {
		err = syscall.SetsockoptInt(fd, syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1)
	}
	inet, ok := addr.(*syscall.SockaddrInet4)
	if err != nil || !ok {
		syscall.Close(fd)
		return 0, nil, fmt.Errorf("redistest: hold a port: %w", err)
	}
	return inet.Port, func() { syscall.Close(fd) }, nil
}

// stopProcess suspends pid and returns once it is suspended: the signal alone
// is asynchronous, and a server still running may answer one more command.
func stopProcess(ctx context.Context, pid int) error {
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		return fmt.Errorf("redistest: pause: %w", err)
	}
	return poll(ctx, time.Millisecond, func() error {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			return fmt.Errorf("redistest: pause: %w", err)
		}
		// The state letter follows the program name, which may contain spaces.
		if _, after, found := bytes.Cut(stat, []byte(") ")); found && bytes.HasPrefix(after, []byte("T")) {
			return nil
		}
		return errNotYet
	})
}

// continueProcess lets a suspended pid go on.
func continueProcess(pid int) error {
	if err := syscall.Kill(pid, syscall.SIGCONT); err != nil {
		return fmt.Errorf("redistest: resume: %w", err)
	}
	return nil
}
