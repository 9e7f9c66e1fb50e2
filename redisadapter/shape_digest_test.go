package redisadapter_test

import (
	"math/big"
	"net/netip"
	"testing"
	"time"

	"github.com/cacheaside/resilience/redisadapter"
)

func shapeWord[V any]() uint32 { return redisadapter.Msgpack[V]().Shape() }

// The numbers follow from the rule in the documentation; all but the last were worked out by another program too.
func TestShapesAreTheSameInEveryBuild(t *testing.T) {
	t.Parallel()
	for i, c := range []struct{ got, want uint32 }{
		{shapeWord[int](), 0x1a17c9b0},
		{shapeWord[string](), 0xc08d9bce},
		{shapeWord[[]byte](), 0xfa80e9fb},
		{shapeWord[map[string]time.Time](), 0x45971ee6},
		{shapeWord[netip.Addr](), 0x4a2e0a2d},
		{shapeWord[wireLine](), 0x7e6a67df},
		{shapeWord[wireTuple](), 0x38007fd3},
		{shapeWord[wireNode](), 0xd8f14ace},
		{shapeWord[wireOrder](), 0x6a52cad3},
	} {
		if c.got != c.want {
			t.Errorf("shape %d is %#08x, want %#08x: entries of other builds would be refused", i, c.got, c.want)
		}
	}
}

// One type for each step that changes a shape, beginning with {ID int64; Role string}.
type (
	userBase struct {
		ID   int64
		Role string
	}
	userRetyped struct {
		ID   string
		Role string
	}
	userNarrowed struct {
		ID   int32
		Role string
	}
	userUnsigned struct {
		ID   uint64
		Role string
	}
	userRenamed struct {
		ID       int64
		UserRole string
	}
	userTagged struct {
		ID   int64
		Role string `msgpack:"role"`
	}
	userAdded struct {
		ID    int64
		Role  string
		Limit int
	}
	userOmits struct {
		ID   int64
		Role string `msgpack:",omitempty"`
	}
	userPointer struct {
		ID   int64
		Role *string
	}
	userArray struct {
		_msgpack struct{} `msgpack:",as_array"`

		ID   int64
		Role string
	}
	userBytes struct {
		ID   int64
		Role []byte
	}
	userList struct {
		ID   int64
		Role []string
	}
)

var _ = userArray{}._msgpack // only the encoder reads it

func TestC75_C77_ARenamedAddedOrRetypedFieldChangesTheShape(t *testing.T) {
	t.Parallel()
	seen := map[uint32]int{}
	for i, shape := range []uint32{
		shapeWord[userBase](), shapeWord[userRetyped](), shapeWord[userNarrowed](), shapeWord[userUnsigned](),
		shapeWord[userRenamed](), shapeWord[userTagged](), shapeWord[userAdded](), shapeWord[userOmits](),
		shapeWord[userPointer](), shapeWord[userArray](), shapeWord[userBytes](), shapeWord[userList](), shapeWord[*userBase](),
		shapeWord[[]userBase](), shapeWord[[1]userBase](), shapeWord[[2]userBase](), shapeWord[map[string]userBase](),
		shapeWord[map[int]userBase](), shapeWord[[]byte](), shapeWord[[2]byte](), shapeWord[[3]byte](), shapeWord[string](),
		shapeWord[int](), shapeWord[int64](), shapeWord[float32](), shapeWord[float64](), shapeWord[time.Time](),
		shapeWord[big.Int](), shapeWord[netip.Addr](), shapeWord[struct{}](),
	} {
		if other, twice := seen[shape]; twice || shape == 0 {
			t.Errorf("types %d and %d share the shape %#08x", other, i, shape)
		}
		seen[shape] = i
	}
}

func TestC75_C77_BytesOfAnotherShapeAreRefusedEvenWhenTheSchemaWordWasForgotten(t *testing.T) {
	t.Parallel()
	old, retyped := msgpackOf(t, userBase{1, "admin"}), msgpackOf(t, userRetyped{"1", "admin"})
	added := msgpackOf(t, userAdded{1, "admin", 5})
	wantRefused[userRetyped](t, old, ruleKind)
	wantRefused[userBase](t, retyped, ruleKind)
	wantRefused[userRenamed](t, old, ruleField)
	wantRefused[userAdded](t, old, ruleMissing)
	wantRefused[userBase](t, added, ruleField)
	wantRefused[userArray](t, old, ruleKind)
	wantRefused[userPointer](t, msgpackOf(t, userArray{ID: 1}), ruleKind)
}

func TestNamesOfTypesAndTheOrderOfFieldsDoNotChangeTheShape(t *testing.T) {
	t.Parallel()
	type (
		role  string
		other struct {
			Role role
			ID   int64
		}
		embeds struct {
			wireBase

			Name string
		}
		spelled struct {
			Name string
			ID   int64
			V    uint32 `msgpack:"v"`
		}
		twice struct{ A, B wireLine }
		line  wireLine
		mixed struct {
			A line
			B wireLine
		}
	)
	if shapeWord[other]() != shapeWord[userBase]() || shapeWord[embeds]() != shapeWord[spelled]() ||
		shapeWord[twice]() != shapeWord[mixed]() {
		t.Fatal("types with the same wire form have different shapes")
	}
	if shapeWord[struct {
		_msgpack struct{} `msgpack:",as_array"`

		A, B int
	}]() == shapeWord[struct {
		_msgpack struct{} `msgpack:",as_array"`

		B, A int
	}]() {
		t.Fatal("the order of an array does not count")
	}
}

// Three ways to spell one infinite list, and two lists that differ from it far inside or not at all at first sight.
type (
	listA struct {
		N    int
		Next *listA
	}
	listB struct {
		N    int
		Next *listC
	}
	listC struct {
		N    int
		Next *listB
	}
	listUnrolled struct {
		N    int
		Next *listA
	}
	listOther struct {
		N    int8
		Next *listOther
	}
	listOtherTail struct {
		N    int
		Next *listOther
	}
	listMiddle struct {
		N    int
		Next *struct {
			N    int
			Next *listOtherTail
		}
	}
)

func TestRecursiveTypesHaveTheShapeOfTheirUnfolding(t *testing.T) {
	t.Parallel()
	same := shapeWord[listA]()
	if shapeWord[listB]() != same || shapeWord[listUnrolled]() != same {
		t.Fatal("one infinite shape has several fingerprints")
	}
	for i, other := range []uint32{
		shapeWord[listOther](), shapeWord[listOtherTail](), shapeWord[listMiddle](), shapeWord[*listA](),
	} {
		if other == same {
			t.Errorf("list %d has the shape of another one", i)
		}
	}
}
