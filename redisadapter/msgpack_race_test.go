//go:build race

package redisadapter_test

// bombMemory is what a process may use beyond what it has at the start; the race detector multiplies all memory.
const bombMemory = 2 << 30
