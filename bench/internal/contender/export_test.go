package contender

// Turns is how many keys a convoy knows of.
func Turns(r Reader) int {
	c, _ := r.(convoy)
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.turns)
}
