package adapters

import "strconv"

// Place is where the libraries keep what they keep outside the process.
type Place struct {
	Addr      string // of a Redis: host and port, without a password
	Namespace string // that every key begins with, before a colon; "" is "bench"
	Operation func() // is called for each command that is sent, by many goroutines at once; nil counts nothing
}

func (p Place) namespace() string {
	if p.Namespace == "" {
		return "bench"
	}
	return p.Namespace
}

// key is that of a row at the store. Each library has its own, since all may share one Redis.
func (p Place) key(library string, key uint64) string {
	return p.namespace() + ":" + library + ":" + strconv.FormatUint(key, 36)
}

func (p Place) count() {
	if p.Operation != nil {
		p.Operation()
	}
}
