package cacheaside

import "sync"

const (
	maxCodeLength  = 64
	maxRegionCodes = 32
	invalidCode    = "invalid"
	otherCode      = "other"
)

// normalizeCode keeps failure codes and absence reasons fit for a label or a log line: [a-z0-9_.-]{1,64}, anything else becomes "invalid".
func normalizeCode(code string) string {
	if code == "" || len(code) > maxCodeLength {
		return invalidCode
	}
	for i := range len(code) {
		c := code[i]
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_' && c != '.' && c != '-' {
			return invalidCode
		}
	}
	return code
}

// codeSet bounds the different codes of one region that reach events: the first 32 keep their names, every later one is "other". An unbounded
// label set is how a metrics store dies of the errors it should count.
type codeSet struct {
	mu   sync.Mutex
	seen map[string]struct{} // guarded by mu; at most maxRegionCodes
}

func (s *codeSet) fold(code string) string {
	if code == "" {
		return ""
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, known := s.seen[code]; known {
		return code
	}
	if len(s.seen) >= maxRegionCodes {
		return otherCode
	}
	if s.seen == nil {
		s.seen = make(map[string]struct{}, maxRegionCodes)
	}
	s.seen[code] = struct{}{}
	return code
}
