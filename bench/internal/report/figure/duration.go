package figure

import "math"

// Never is what a recovery of -1 says.
const Never = "never"

// Milliseconds writes a duration given in milliseconds, in µs, ms or s.
func Milliseconds(ms float64) string { return duration(ms / 1e3) }

// Seconds writes a duration given in seconds, in µs, ms or s.
func Seconds(s float64) string { return duration(s) }

// Recovery writes a time to recover in seconds; anything below zero is Never.
func Recovery(s float64) string {
	if s < 0 {
		return Never
	}
	return duration(s)
}

func duration(s float64) string {
	switch size := math.Abs(s); {
	case !finite(s):
		return None
	case size == 0:
		return "0 s"
	case size < 999.5e-9:
		return Number(s*1e9) + " ns"
	case size < 999.5e-6:
		return significant(s*1e6, 3) + " µs"
	case size < 0.9995:
		return significant(s*1e3, 3) + " ms"
	case size < 1000:
		return significant(s, 3) + " s"
	default:
		return Number(s) + " s"
	}
}
