package redisadapter

import "reflect"

// ScanWith returns a function that only scans payloads against the shape of a type, for benchmarks.
func ScanWith(t reflect.Type) func(payload []byte) bool {
	root, _, err := compileShape(t)
	if err != nil {
		panic(err)
	}
	s := new(scanner)
	return func(payload []byte) bool { return s.scan(payload, root) == 0 }
}
