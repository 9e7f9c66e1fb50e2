package soak_test

import (
	"strconv"
	"strings"
	"sync"
	"time"
)

// row is one state of a key at the source, from since until the next one.
type row struct {
	version int64 // 1, 2, 3... in each key
	since   time.Time
	absent  bool
}

// value is what is cached. It tells which row it was read from, by which load.
type value struct {
	Key     string
	Version int64
	Since   int64 // of the row, in nanoseconds
	Load    int64 // a number of its own for each call of a loader
	Padding string
}

// large: every seventh version is above the 64 KiB from which on a replace is staged.
const large = 7

// padding is what a version is filled up with.
func padding(version int64) string {
	if version%large == 0 {
		return strings.Repeat(strconv.FormatInt(version%10, 10), 70<<10)
	}
	return strings.Repeat("x", int(version%40))
}

// source is the truth, and remembers all that it was.
type source struct {
	mu   sync.Mutex
	rows map[string][]row
}

// newSource has a row for every key.
func newSource() *source {
	s := &source{rows: make(map[string][]row)}
	for _, key := range append(keys(), seldomKeys()...) {
		s.update(key, false)
	}
	return s
}

// update gives the key a new row.
func (s *source) update(key string, absent bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	rows := s.rows[key]
	s.rows[key] = append(rows, row{version: int64(len(rows)) + 1, since: time.Now(), absent: absent})
}

// read gives the present row.
func (s *source) read(key string) row {
	rows := s.history(key)
	return rows[len(rows)-1]
}

// history gives all rows of the key so far; the i-th is version i+1.
func (s *source) history(key string) []row {
	s.mu.Lock()
	defer s.mu.Unlock()
	rows := s.rows[key]
	return rows[:len(rows):len(rows)] // only ever appended to
}
