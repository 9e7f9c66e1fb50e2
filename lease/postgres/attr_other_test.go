//go:build !linux

package postgres_test

import "syscall"

// childAttr asks for nothing: only Linux ties the life of a child to its parent.
func childAttr() *syscall.SysProcAttr { return &syscall.SysProcAttr{} }
