package tune

import (
	"fmt"

	"github.com/cacheaside/resilience/bench/internal/result"
)

// parameters lists every value that the run had, in the words of a file, and beside those that differ what the preset or the lab has.
func (c Config) parameters() []result.Parameter {
	usual := standard()
	usual.preset = c.preset
	usual.policy, _ = presetOf(c.preset)
	var list []result.Parameter
	for _, s := range sections() {
		origin := "default"
		if s.name == "region" {
			origin = "preset"
		}
		list = append(list, listed("", s, &c, &usual, origin)...)
	}
	for _, t := range c.troubles {
		list = append(list, result.Parameter{Name: fmt.Sprintf("fault[%d]", t.number), Value: t.String()})
	}
	return list
}

func listed(prefix string, s section, now, usual *Config, origin string) []result.Parameter {
	var list []result.Parameter
	path := prefix + s.name + "."
	for _, f := range s.fields {
		value := f.show(now)
		if otherwise := f.show(usual); value != otherwise && f.name != "name" {
			value += fmt.Sprintf(" (%s %s)", origin, otherwise)
		}
		list = append(list, result.Parameter{Name: path + f.name, Value: value})
	}
	for _, t := range s.tables {
		list = append(list, listed(path, t, now, usual, origin)...)
	}
	return list
}
