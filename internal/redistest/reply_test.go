package redistest_test

import (
	"fmt"

	"github.com/cacheaside/resilience/internal/redistest"
)

func ExampleArray() {
	reply := redistest.Array(
		redistest.Status("OK"),
		redistest.Error("LOADING the data set is in memory soon"),
		redistest.Integer(-1),
		redistest.Bulk("any\r\nbytes"),
		redistest.Null(),
	)
	fmt.Printf("%q\n", reply)
	// Output:
	// "*5\r\n+OK\r\n-LOADING the data set is in memory soon\r\n:-1\r\n$10\r\nany\r\nbytes\r\n$-1\r\n"
}
