package postgres_test

import "syscall"

// childAttr makes the server die with this process: a test binary that is killed or times out runs no cleanup.
func childAttr() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
