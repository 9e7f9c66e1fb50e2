package redisadapter

import (
	"fmt"
	"strconv"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

const maxNameLength = 64

// faults gives every fault of a configuration whose defaults are filled in.
func (c Config[K, V]) faults() []error {
	f := faultList(c.TTL.faults())
	f.name("Namespace", c.Namespace)
	f.name("Region", c.Region)
	if c.Scope != "" {
		f.name("Scope", c.Scope)
	}
	if c.Scope == rootScope {
		f.add("Scope", strconv.Quote(c.Scope), "must not be \"-\", which stands for the root")
	}
	f.name("Owner", c.Owner)
	if c.OrderedRevisions && !c.Fenced {
		f.add("OrderedRevisions", "true", "needs Fenced")
	}
	if len(c.Secret) < MinSecretBytes {
		f.add("Secret", strconv.Itoa(len(c.Secret))+" bytes", "must be at least "+strconv.Itoa(MinSecretBytes)+" bytes")
	}
	if newCanonicalizer(c.KeyString) == nil {
		var zero K
		f.add("KeyString", "nil", fmt.Sprintf("must be set for keys of type %T", zero))
	}
	if c.MaxValueBytes < 1 || c.MaxValueBytes > MaxMaxValueBytes {
		f.add("MaxValueBytes", strconv.Itoa(c.MaxValueBytes), "must be 1 to "+strconv.Itoa(MaxMaxValueBytes))
	}
	f.duration("LookupTimeout", c.LookupTimeout, time.Millisecond, maxTimeout)
	f.duration("RecordTimeout", c.RecordTimeout, time.Millisecond, maxTimeout)
	if c.GenerationAge != 0 {
		f.duration("GenerationAge", c.GenerationAge, minGenerationAge, maxGenerationAge)
	}
	f.duration("MaxClockSkew", c.MaxClockSkew, 1, maxClockSkew)
	if checker, ok := c.Codec.(interface{ Check() error }); ok {
		if err := checker.Check(); err != nil {
			f = append(f, err)
		}
	}
	return f
}

type faultList []error

func (f *faultList) add(field, value, rule string) {
	*f = append(*f, &cacheaside.FieldError{Field: field, Value: value, Rule: rule})
}

// name never repeats an over-long or odd name in full: it might be a secret that slipped into the wrong field.
func (f *faultList) name(field, value string) {
	if len(value) < 1 || len(value) > maxNameLength {
		f.add(field, strconv.Itoa(len(value))+" bytes", "must be 1 to "+strconv.Itoa(maxNameLength)+" bytes")
		return
	}
	for i := range len(value) {
		c := value[i]
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_' && c != '.' && c != '-' {
			f.add(field, "a name with "+strconv.QuoteRune(rune(c)), "must be of the characters A-Z a-z 0-9 _ . -")
			return
		}
	}
}

func (f *faultList) duration(field string, value, least, most time.Duration) {
	if value < least || value > most {
		f.add(field, value.String(), "must be "+least.String()+" to "+most.String())
	}
}
