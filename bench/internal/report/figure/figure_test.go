package figure_test

import (
	"math"
	"testing"

	"github.com/cacheaside/resilience/bench/internal/report/figure"
)

func TestNumbersAreWrittenForPeople(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ got, want string }{
		{figure.Count(0), "0"},
		{figure.Count(999), "999"},
		{figure.Count(314000), "314\u202f000"},
		{figure.Count(-1234567), "−1\u202f234\u202f567"},
		{figure.Count(math.MaxInt64), "9.22e18"},
		{figure.Count(math.MinInt64), "-9.22e18"},
		{figure.Short(9_999_999), "9\u202f999\u202f999"},
		{figure.Short(12_345_678), "12.3M"},
		{figure.Short(-999_999_999), "−1G"},
		{figure.Short(math.MaxInt64), "9.22E"},
		{figure.Number(1.0 / 3), "0.333"},
		{figure.Number(12.5), "12.5"},
		{figure.Number(1234.5678), "1\u202f235"},
		{figure.Number(1e300), "1e300"},
		{figure.Number(0.0000123), "1.23e-5"},
		{figure.Number(math.NaN()), "–"},
		{figure.Number(math.Inf(-1)), "–"},
		{figure.Bytes(512), "512 B"},
		{figure.Bytes(13 << 20), "13 MiB"},
		{figure.Bytes(math.MaxUint64), "16 EiB"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestAPartIsNeverRoundedToAllOrNothing(t *testing.T) {
	t.Parallel()
	for part, want := range map[float64]string{
		0: "0%", 1: "100%", 0.5: "50%", 0.9995: "99.95%", 0.999999: ">99.99%", 0.0000001: "<0.01%", 0.123456: "12.3%", 0.000812: "0.08%", 1.5: "150%", 1e9: "1e11%",
	} {
		if got := figure.Percent(part); got != want {
			t.Errorf("%v is written %q, want %q", part, got, want)
		}
	}
	if got := figure.Part(1, 0); got != figure.None {
		t.Errorf("one of none is written %q, want %q", got, figure.None)
	}
	if got := figure.Percent(math.NaN()); got != figure.None {
		t.Errorf("NaN is written %q, want %q", got, figure.None)
	}
}

func TestDurationsHaveAUnitThatFits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ got, want string }{
		{figure.Milliseconds(0), "0 s"},
		{figure.Milliseconds(0.45), "450 µs"},
		{figure.Milliseconds(4.567), "4.57 ms"},
		{figure.Milliseconds(512.3), "512 ms"},
		{figure.Milliseconds(999.7), "1 s"},
		{figure.Milliseconds(12345), "12.3 s"},
		{figure.Seconds(1.5), "1.5 s"},
		{figure.Seconds(5400), "5\u202f400 s"},
		{figure.Seconds(2e-9), "2 ns"},
		{figure.Seconds(1e200), "1e200 s"},
		{figure.Recovery(-1), "never"},
		{figure.Recovery(0), "0 s"},
		{figure.Recovery(10), "10 s"},
		{figure.Recovery(math.NaN()), "–"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestCleanTextIsOneLineWithoutControlCharacters(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"plain":                  "plain",
		" two\n lines\t":         "two lines",
		"\x1b[31mred\x00\u202e":  "[31mred",
		"half \xff byte":         "half \ufffd byte",
		"2\u202f000 ≥ 1 µs <b>;": "2 000 ≥ 1 µs <b>;",
	} {
		if got := figure.Plain(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

func TestANameDoesNotSayTheSameTwice(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ id, name, want string }{
		{"P0", "plain", "P0 plain"}, {"otter", "otter v2", "otter v2"}, {"P0", "", "P0"}, {"", "plain", "plain"}, {"", "", ""},
	} {
		if got := figure.Name(c.id, c.name); got != c.want {
			t.Errorf("%q and %q give %q, want %q", c.id, c.name, got, c.want)
		}
	}
}
