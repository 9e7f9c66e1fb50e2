package cacheaside

import (
	"context"
	"reflect"
)

// Rules tell [Classify] what the errors and values of an ordinary repository read mean. Every field may be nil. Rules run inside the load.
type Rules[V any] struct {
	Absent    func(error) bool
	Transient func(error) (code string, ok bool)
	Permanent func(error) (code string, ok bool)

	// AbsentValue tells which values with a nil error mean absence, e.g. a nil pointer from a repository that returns (nil, nil). Without it a nil
	// pointer, map, slice or interface is unclassified ([ErrNilValue]): nobody has said what it means.
	AbsentValue func(V) bool

	// Revision reads the source's revision off a value; nil means that the source has none.
	Revision func(V) Revision
}

// absentByRule is the reason of an absence that a rule told, since a rule names none.
const absentByRule = "absent"

// Classify turns an ordinary repository read into a [Loader]. An error marked by [MarkAbsent], [MarkTransient] or [MarkPermanent] needs no rule;
// a rule that matches an unmarked error classifies it; an error that matches more than one kind, or none, is unclassified: never cached, never
// stale, handed to the callers as it is. A nil read gives a nil loader, which [Get] refuses.
func Classify[K comparable, V any](read func(context.Context, K) (V, error), rules Rules[V]) Loader[K, V] {
	if read == nil {
		return nil
	}
	return func(ctx context.Context, key K) SourceOutcome[V] {
		value, err := read(ctx, key)
		if err != nil {
			return classifyError(err, rules)
		}
		return classifyValue(value, rules)
	}
}

func classifyValue[V any](value V, rules Rules[V]) SourceOutcome[V] {
	var revision Revision
	if rules.AbsentValue != nil {
		if rules.AbsentValue(value) {
			return AuthoritativeAbsent[V](absentByRule, "")
		}
	} else if isNil(value) {
		return Unclassified[V](ErrNilValue)
	}
	if rules.Revision != nil {
		revision = rules.Revision(value)
	}
	return Loaded(value, revision)
}

func isNil[V any](value V) bool {
	seen := reflect.ValueOf(&value).Elem()
	switch seen.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Interface, reflect.Func, reflect.Chan, reflect.UnsafePointer:
		return seen.IsNil()
	default:
		return false
	}
}

func classifyError[V any](err error, rules Rules[V]) SourceOutcome[V] {
	if kind, code, marked := markOf(err); marked {
		return outcomeOf[V](kind, code, err)
	}
	var found []SourceOutcome[V]
	if rules.Absent != nil && rules.Absent(err) {
		found = append(found, outcomeOf[V](outcomeAbsent, absentByRule, err))
	}
	if rules.Transient != nil {
		if code, ok := rules.Transient(err); ok {
			found = append(found, outcomeOf[V](outcomeTransient, code, err))
		}
	}
	if rules.Permanent != nil {
		if code, ok := rules.Permanent(err); ok {
			found = append(found, outcomeOf[V](outcomePermanent, code, err))
		}
	}
	if len(found) != 1 {
		return Unclassified[V](err)
	}
	return found[0]
}

func outcomeOf[V any](kind outcomeKind, code string, err error) SourceOutcome[V] {
	switch kind {
	case outcomeAbsent:
		return AuthoritativeAbsent[V](code, "")
	case outcomeTransient:
		return TransientFailure[V](code, err)
	case outcomePermanent:
		return PermanentFailure[V](code, err)
	default:
		return Unclassified[V](err)
	}
}
