package figure

import (
	"math"
	"strconv"
	"strings"
)

// None stands where there is no figure: NaN, an infinity, a part of nothing.
const None = "–"

// thin keeps the digits of one number on one line.
const thin = "\u202f"

// Count writes a whole number with its thousands apart, and from a thousand million on in three digits and a power of ten.
func Count(n int64) string {
	if n >= 1e9 || n <= -1e9 {
		return scientific(float64(n))
	}
	digits := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, digits = "−", digits[1:]
	}
	var b strings.Builder
	for i, digit := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteString(thin)
		}
		b.WriteRune(digit)
	}
	return sign + b.String()
}

// Short is Count for narrow columns: from ten million on in three digits and a prefix.
func Short(n int64) string {
	x, prefix := math.Abs(float64(n)), -1
	if x < 1e7 {
		return Count(n)
	}
	for x >= 999.5 && prefix < 5 {
		x, prefix = x/1000, prefix+1
	}
	sign := ""
	if n < 0 {
		sign = "−"
	}
	return sign + significant(x, 3) + "kMGTPE"[prefix:prefix+1]
}

// Number writes x in three significant digits, whole numbers below a thousand million in all of theirs.
func Number(x float64) string {
	switch size := math.Abs(x); {
	case !finite(x):
		return None
	case size >= 1e9 || size > 0 && size < 1e-4:
		return scientific(x)
	case size >= 1000 || x == math.Trunc(x):
		return Count(int64(math.Round(x)))
	default:
		return significant(x, 3)
	}
}

// Percent writes a part of one. What is not quite all is never written as 100 %, nor what is not quite nothing as 0 %.
func Percent(part float64) string {
	percent := part * 100
	switch {
	case !finite(percent):
		return None
	case percent > 0 && percent < 0.01:
		return "<0.01%"
	case percent > 99.99 && percent < 100:
		return ">99.99%"
	case math.Abs(percent) >= 1e5:
		return scientific(percent) + "%"
	case percent >= 99 && percent < 100:
		return trim(strconv.FormatFloat(percent, 'f', 2, 64)) + "%"
	case percent < 1 && percent > -1:
		return trim(strconv.FormatFloat(percent, 'f', 2, 64)) + "%"
	default:
		return significant(percent, 3) + "%"
	}
}

// Part is Percent of n in total, and None of a total that is not above zero.
func Part(n, total int64) string {
	if total <= 0 {
		return None
	}
	return Percent(float64(n) / float64(total))
}

// Bytes writes a size in binary units.
func Bytes(n uint64) string {
	units := []string{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}
	x, unit := float64(n), 0
	for x >= 1024 && unit < len(units)-1 {
		x, unit = x/1024, unit+1
	}
	return significant(x, 3) + " " + units[unit]
}

// significant writes x in n significant digits without an exponent and without zeros at its end; digits before the point are all kept.
func significant(x float64, n int) string {
	if x == 0 {
		return "0"
	}
	decimals := n - 1 - int(math.Floor(math.Log10(math.Abs(x))))
	return trim(strconv.FormatFloat(x, 'f', max(decimals, 0), 64))
}

func scientific(x float64) string {
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', 2, 64), "e")
	return trim(mantissa) + "e" + strings.TrimPrefix(strings.Replace(exponent, "-0", "-", 1), "+")
}

func trim(s string) string {
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
