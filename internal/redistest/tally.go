package redistest

import "maps"

// tally counts events by name. The zero value is ready to use.
type tally struct {
	notice notice
	counts map[string]int // guarded by notice
}

func (c *tally) add(name string) {
	c.notice.update(func() {
		if c.counts == nil {
			c.counts = make(map[string]int)
		}
		c.counts[name]++
	})
}

func (c *tally) count(name string) (n int) {
	c.notice.read(func() { n = c.counts[name] })
	return n
}

func (c *tally) all() (counts map[string]int) {
	c.notice.read(func() { counts = maps.Clone(c.counts) })
	return counts
}

// await waits until name was counted at least n times, and reports whether it
// came to that.
func (c *tally) await(name string, n int) bool {
	return c.notice.await(func() bool { return c.counts[name] >= n })
}
