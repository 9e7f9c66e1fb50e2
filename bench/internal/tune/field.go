package tune

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

// field is one value of a file.
type field struct {
	name string
	// read sets it, or gives the rule that the value breaks.
	read func(c *Config, value any) (rule string)
	// show writes it as it is now.
	show func(c *Config) string
}

// whole is a whole number.
func whole(name string, least, most int, at func(*Config) *int) field {
	return field{name,
		func(c *Config, value any) string {
			number, ok := value.(int64)
			switch {
			case !ok:
				return "must be a whole number"
			case number < int64(least) || number > int64(most):
				return fmt.Sprintf("must be %d to %d", least, most)
			}
			*at(c) = int(number)
			return ""
		},
		func(c *Config) string { return strconv.Itoa(*at(c)) },
	}
}

// number is any number in [least, most], or in (least, most] where it must be more.
func number(name string, more bool, least, most float64, at func(*Config) *float64) field {
	rule := fmt.Sprintf("must be %s to %s", plainly(least), plainly(most))
	if more {
		rule = fmt.Sprintf("must be more than %s and at most %s", plainly(least), plainly(most))
	}
	return field{name,
		func(c *Config, value any) string {
			given, ok := numeral(value)
			switch {
			case !ok:
				return "must be a number"
			case !(given >= least && given <= most) || more && given == least: // NaN is nothing of it
				return rule
			}
			*at(c) = given
			return ""
		},
		func(c *Config) string { return plainly(*at(c)) },
	}
}

func numeral(value any) (float64, bool) {
	switch v := value.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	}
	return math.NaN(), false
}

func plainly(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

const notDuration = `must be a duration in quotes, such as "250ms"`

// duration is a stretch of time.
func duration(name string, least, most time.Duration, at func(*Config) *time.Duration) field {
	return field{name,
		func(c *Config, value any) string {
			text, _ := value.(string)
			given, err := time.ParseDuration(text)
			switch {
			case err != nil:
				return notDuration
			case given < least || given > most:
				return fmt.Sprintf("must be %v to %v", least, most)
			}
			*at(c) = given
			return ""
		},
		func(c *Config) string { return at(c).String() },
	}
}

const dontWait = "dont-wait"

// waiting is a wait that may be none at all.
func waiting(name string, at func(*Config) *time.Duration) field {
	plain := duration(name, math.MinInt64, math.MaxInt64, at)
	return field{name,
		func(c *Config, value any) string {
			if value == dontWait {
				*at(c) = cacheaside.DontWait
				return ""
			}
			if plain.read(c, value) != "" || *at(c) == cacheaside.DontWait {
				return notDuration + `, or "` + dontWait + `"`
			}
			return ""
		},
		func(c *Config) string {
			if *at(c) == cacheaside.DontWait {
				return dontWait
			}
			return plain.show(c)
		},
	}
}

// truth is true or false.
func truth(name string, at func(*Config) *bool) field {
	return field{name,
		func(c *Config, value any) string {
			given, ok := value.(bool)
			if !ok {
				return "must be true or false"
			}
			*at(c) = given
			return ""
		},
		func(c *Config) string { return strconv.FormatBool(*at(c)) },
	}
}

// choice is one of the policy's constants, by its name or that name in small letters with hyphens.
func choice[T interface {
	comparable
	String() string
}](name string, at func(*Config) *T, known ...T) field {
	var names []string
	for _, one := range known {
		names = append(names, one.String())
	}
	last := len(names) - 1
	rule := "must be " + strings.Join(names[:last], ", ") + " or " + names[last]
	return field{name,
		func(c *Config, value any) string {
			text, _ := value.(string)
			for _, one := range known {
				if text == one.String() || text == hyphened(one.String()) {
					*at(c) = one
					return ""
				}
			}
			return rule
		},
		func(c *Config) string { return (*at(c)).String() },
	}
}

// hyphened turns FailFast into fail-fast.
func hyphened(name string) string {
	var b strings.Builder
	for n, letter := range name {
		if letter >= 'A' && letter <= 'Z' {
			if n > 0 {
				b.WriteByte('-')
			}
			letter += 'a' - 'A'
		}
		b.WriteRune(letter)
	}
	return b.String()
}
