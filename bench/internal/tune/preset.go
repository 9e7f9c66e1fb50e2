package tune

import (
	"fmt"
	"regexp"

	"github.com/cacheaside/resilience/cacheaside"
)

const defaultPreset = "balanced"

// presetOf gives a preset by its name in a file.
func presetOf(name string) (cacheaside.Policy, bool) {
	switch name {
	case "strict":
		return cacheaside.StrictPolicy(), true
	case "balanced":
		return cacheaside.BalancedPolicy(), true
	case "survive":
		return cacheaside.SurvivePolicy(), true
	}
	return cacheaside.Policy{}, false
}

// presetField sets the whole policy, so that it must be read before the fields that override it: it stands before them in its section.
func presetField() field {
	return field{"preset",
		func(c *Config, value any) string {
			name, _ := value.(string)
			policy, ok := presetOf(name)
			if !ok {
				return `must be "strict", "balanced" or "survive"`
			}
			c.preset, c.policy = name, policy
			return ""
		},
		func(c *Config) string { return c.preset },
	}
}

// nameField holds to what a region may be called.
func nameField() field {
	fit := regexp.MustCompile(`^[A-Za-z0-9_.-]{1,64}$`)
	return field{"name",
		func(c *Config, value any) string {
			name, _ := value.(string)
			if !fit.MatchString(name) {
				return fmt.Sprintf("must be a text that fits %s", fit)
			}
			c.name = name
			return ""
		},
		func(c *Config) string { return c.name },
	}
}
