package resilience_test

import (
	"go/ast"
	"slices"
	"strings"
	"testing"
)

const modulePath = "github.com/cacheaside/resilience"

// room is what the files of one package, tests left out, may import beside the standard library.
type room struct {
	own   []string // folders of this module
	other []string // import paths of other modules
}

const (
	clockPath        = "github.com/benbjohnson/clock"
	redisPath        = "github.com/redis/go-redis/v9"
	msgpackPath      = "github.com/vmihailenco/msgpack/v5"
	singleflightPath = "golang.org/x/sync/singleflight"
)

// rooms is the whole of who may call whom. Arrows point downwards only, and a package that is not listed has no place in the house yet.
var rooms = map[string]room{
	"envelope":             {},
	"jitter":               {},
	"internal/bulkhead":    {other: []string{clockPath}},
	"internal/redistest":   {other: []string{redisPath}},
	"internal/trial":       {},
	"cacheaside":           {own: []string{"internal/bulkhead"}, other: []string{singleflightPath, clockPath}},
	"cacheaside/memory":    {own: []string{"cacheaside"}, other: []string{clockPath}},
	"cacheaside/cachetest": {own: []string{"cacheaside", "internal/trial"}, other: []string{clockPath}},
	"lease":                {},
	"lease/memory":         {own: []string{"lease"}, other: []string{clockPath}},
	"lease/leasetest":      {own: []string{"lease", "internal/trial"}},
	"redisadapter":         {own: []string{"cacheaside", "envelope", "jitter", "lease"}, other: []string{redisPath, msgpackPath, clockPath}},

	// What the promises are tried with, beside the tests of each package. Most of it is test files, which may import what they like.
	"internal/proof":         {},
	"internal/proof/explore": {own: []string{"cacheaside", "cacheaside/memory"}, other: []string{clockPath}},
	"internal/proof/faults":  {},
	"internal/proof/fleet":   {},
	"internal/proof/lease":   {},
	"internal/proof/linear":  {},
	"internal/proof/model":   {},
	"internal/proof/posture": {},
	"internal/proof/servers": {},
	"internal/proof/soak":    {},
}

func TestPackagesImportOnlyWhatTheirRoomAllows(t *testing.T) {
	t.Parallel()
	for _, file := range sourceFiles(t) {
		if file.isTest {
			continue
		}
		allowed, known := rooms[file.folder]
		if !known {
			t.Errorf("%s: folder %q has no room; add it to the table with what it may import", file.path, file.folder)
			continue
		}
		for _, path := range file.imports() {
			if !allowed.allows(path) {
				t.Errorf("%s: %s must not import %s", file.path, file.folder, path)
			}
		}
	}
}

func TestRoomsPointDownwards(t *testing.T) {
	t.Parallel()
	order := []string{
		"envelope", "jitter", "internal/bulkhead", "internal/redistest", "internal/trial",
		"cacheaside", "cacheaside/memory", "cacheaside/cachetest", "lease", "lease/memory", "lease/leasetest", "redisadapter",
		"internal/proof", "internal/proof/explore", "internal/proof/faults", "internal/proof/fleet", "internal/proof/lease", "internal/proof/linear",
		"internal/proof/model", "internal/proof/posture", "internal/proof/servers", "internal/proof/soak",
	}
	for folder, r := range rooms {
		place := slices.Index(order, folder)
		if place < 0 {
			t.Errorf("%s has no place in the order", folder)
		}
		for _, own := range r.own {
			if below := slices.Index(order, own); below < 0 || below >= place {
				t.Errorf("%s may import %s, which is not below it", folder, own)
			}
		}
	}
}

func TestARoomRefusesWhatItDoesNotName(t *testing.T) {
	t.Parallel()
	tests := []struct {
		folder, path string
		want         bool
	}{
		{"cacheaside", "context", true},
		{"cacheaside", "net/http", true},
		{"cacheaside", singleflightPath, true},
		{"cacheaside", "golang.org/x/sync/semaphore", false},
		{"cacheaside", redisPath, false},
		{"cacheaside", redisPath + "/maintnotifications", false},
		{"redisadapter", redisPath + "/maintnotifications", true},
		{"cacheaside", msgpackPath, false},
		{"cacheaside", modulePath + "/internal/bulkhead", true},
		{"cacheaside", modulePath + "/envelope", false},
		{"cacheaside", modulePath + "/redisadapter", false},
		{"redisadapter", modulePath + "/cacheaside", true},
		{"redisadapter", modulePath + "/internal/bulkhead", false},
		{"envelope", modulePath + "/jitter", false},
		{"envelope", clockPath, false},
		{"jitter", modulePath + "/envelope", false},
		{"internal/bulkhead", modulePath + "/cacheaside", false},
	}
	for _, test := range tests {
		if got := rooms[test.folder].allows(test.path); got != test.want {
			t.Errorf("%s may import %s: %t, want %t", test.folder, test.path, got, test.want)
		}
	}
}

// allows tells whether a path is of the standard library, or one that the room names; a package of go-redis brings its own folders along. Only
// paths of the standard library have no dot in their first element.
func (r room) allows(path string) bool {
	if own, inside := strings.CutPrefix(path, modulePath+"/"); inside {
		return slices.Contains(r.own, own)
	}
	if strings.HasPrefix(path, redisPath+"/") {
		path = redisPath
	}
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".") || slices.Contains(r.other, path)
}

// TestThePolicyTellsTheTimeByItsClock keeps the timers of the standard library out of the packages whose time is injected. The contexts of the
// clock package count too: those of its mock carry a deadline of 1970.
func TestThePolicyTellsTheTimeByItsClock(t *testing.T) {
	t.Parallel()
	forbidden := map[string][]string{
		"time":    {"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "NewTimer", "NewTicker", "Tick"},
		"context": {"WithTimeout", "WithTimeoutCause", "WithDeadline", "WithDeadlineCause"},
	}
	for _, file := range sourceFiles(t) {
		if file.isTest || !slices.Contains([]string{"cacheaside", "internal/bulkhead"}, file.folder) {
			continue
		}
		ast.Inspect(file.syntax, func(n ast.Node) bool {
			selector, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			name := selector.Sel.Name
			if pkg, ok := selector.X.(*ast.Ident); ok && pkg.Obj == nil && slices.Contains(forbidden[pkg.Name], name) {
				t.Errorf("%s: %s.%s; use the injected clock's Now, Since and AfterFunc", file.at(n), pkg.Name, name)
			}
			if name == "WithTimeout" || name == "WithDeadline" {
				if pkg, ok := selector.X.(*ast.Ident); !ok || pkg.Name != "context" {
					t.Errorf("%s: %s of a clock; use its AfterFunc", file.at(n), name)
				}
			}
			return true
		})
	}
}
