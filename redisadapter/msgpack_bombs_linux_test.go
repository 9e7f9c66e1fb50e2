package redisadapter_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/vmihailenco/msgpack/v5"

	"github.com/cacheaside/resilience/redisadapter"
)

// bombChild marks the process in which the bombs go off.
const bombChild = "CODEC_BOMB_CHILD"

const (
	bombStack = 1 << 20   // the largest stack of the child
	bombSize  = 256 << 10 // of the longer bombs
)

func TestHostileBytesExhaustNeitherMemoryNorStack(t *testing.T) {
	t.Parallel()
	if os.Getenv(bombChild) != "" {
		explode(t)
		return
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	child := exec.CommandContext(t.Context(), exe, "-test.run=^"+t.Name()+"$", "-test.v", "-test.timeout=2m")
	child.Env = append(os.Environ(), bombChild+"=1")
	out, err := child.CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("survived")) {
		t.Fatalf("the child died: %v\n%s", err, out[:min(len(out), 4000)])
	}
}

// explode limits its own process and decodes every bomb into every type.
func explode(t *testing.T) {
	t.Helper()
	limitMemory(t)
	debug.SetMaxStack(bombStack)
	targets := bombTargets()
	for name, bomb := range bombs() {
		for _, target := range targets {
			spent := allocated(func() { target.decode(t, name, bomb) })
			if limit := uint64(2*(32<<20) + 80*len(bomb)); spent > limit {
				t.Errorf("%s into %s took %d bytes of memory, want at most %d", name, target.name, spent, limit)
			}
		}
	}
	t.Log("survived")
}

// limitMemory lets the kernel refuse whatever goes beyond.
func limitMemory(t *testing.T) {
	t.Helper()
	const pagesOfData = 5
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Fatal(err)
	}
	var pages uint64
	if _, err := fmt.Sscan(strings.Fields(string(text))[pagesOfData], &pages); err != nil {
		t.Fatal(err)
	}
	limit := pages*uint64(os.Getpagesize()) + bombMemory
	if err := syscall.Setrlimit(syscall.RLIMIT_DATA, &syscall.Rlimit{Cur: limit, Max: limit}); err != nil {
		t.Fatal(err)
	}
}

// allocated returns how many bytes were allocated while f ran.
func allocated(f func()) uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	before := sample[0].Value.Uint64()
	f()
	metrics.Read(sample)
	return sample[0].Value.Uint64() - before
}

func bombs() map[string][]byte {
	all := map[string][]byte{}
	for name, head := range map[string]string{
		"array of 4 G": "\xdd\xff\xff\xff\xff", "map of 4 G": "\xdf\xff\xff\xff\xff", "string of 4 G": "\xdb\xff\xff\xff\xff",
		"bytes of 4 G": "\xc6\xff\xff\xff\xff", "extension of 4 G": "\xc9\xff\xff\xff\xff\xff",
		"array of 64 K": "\xdc\xff\xff", "map of 64 K": "\xde\xff\xff", "array of 2 G": "\xdd\x7f\xff\xff\xff",
	} {
		all[name] = []byte(head)
		all[name+" in an array"] = []byte("\x91" + head)
		all[name+" in a map"] = []byte("\x81\xa1A" + head)
		all[name+" with bytes behind"] = append([]byte(head), make([]byte, bombSize)...)
	}
	for name, head := range map[string][]byte{
		"arrays in arrays": {0x91}, "maps in maps": {0x81, 0xa1, 'A'}, "lists in structs": {0x81, 0xa4, 'N', 'e', 'x', 't'},
		"maps as keys": {0x81}, "trees": []byte("\x82\xa4Kids\x91"),
	} {
		all[name] = bytes.Repeat(head, bombSize/len(head))
	}
	// Each array claims all the bytes that follow it.
	var greedy []byte
	for i := range 64 {
		n := bombSize - 5*(i+1)
		greedy = append(greedy, 0xdd, byte(n>>24), byte(n>>16), byte(n>>8), byte(n))
	}
	all["arrays that claim the same bytes"] = append(greedy, make([]byte, bombSize)...)
	for name, element := range map[string]byte{"nils": 0xc0, "empty maps": 0x80, "empty arrays": 0x90, "empty strings": 0xa0} {
		all["a list of "+name] = append([]byte{0xdd, 0, 0x04, 0, 0}, bytes.Repeat([]byte{element}, bombSize)...)
		pair := []byte{0xa0, element}
		all["a map of "+name] = append([]byte{0xdf, 0, 0x02, 0, 0}, bytes.Repeat(pair, bombSize/2)...)
	}
	return all
}

type bombTarget struct {
	name   string
	decode func(t *testing.T, bomb string, payload []byte)
}

func targetOf[V any]() bombTarget {
	codec := redisadapter.Msgpack[V]()
	return bombTarget{fmt.Sprintf("%T", *new(V)), func(t *testing.T, bomb string, payload []byte) {
		t.Helper()
		var value V
		if err := codec.Decode(payload, &value); err == nil {
			t.Logf("%s is a %T", bomb, value)
		}
	}}
}

// sparse is large in memory and one byte on the wire.
type sparse struct {
	A, B, C, D, E, F, G, H struct{ A, B, C, D, E, F, G, H string } `msgpack:"-"`

	X string `msgpack:",omitempty"`
}

// opaqueList decodes itself in the ways that believe what the bytes declare.
type opaqueList struct{ all any }

func (*opaqueList) EncodeMsgpack(enc *msgpack.Encoder) error { return enc.EncodeNil() }
func (o *opaqueList) DecodeMsgpack(dec *msgpack.Decoder) (err error) {
	o.all, err = dec.DecodeInterface()
	return err
}

func bombTargets() []bombTarget {
	return []bombTarget{
		targetOf[string](), targetOf[[]byte](), targetOf[[]string](), targetOf[[]int64](), targetOf[[][]byte](),
		targetOf[map[string]string](), targetOf[map[int]wireLine](), targetOf[map[string]map[string]int](),
		targetOf[time.Time](), targetOf[[]time.Time](), targetOf[wireOrder](), targetOf[*wireNode](), targetOf[wireNest](),
		targetOf[wireTree](), targetOf[[]sparse](), targetOf[[]*sparse](), targetOf[map[string]sparse](),
		targetOf[opaqueList](), targetOf[[]opaqueList](), targetOf[msgpack.RawMessage](), targetOf[[]struct{}](),
		targetOf[[1 << 16]int](), targetOf[struct{ A []sparse }](),
	}
}

func TestAValueThatIsAllMemoryAndNoBytesIsNotStored(t *testing.T) {
	t.Parallel()
	few := make([]sparse, 1000)
	if back := readBack[[]sparse](t, msgpackOf(t, few)); len(back) != 1000 {
		t.Fatalf("%d elements came back", len(back))
	}
	bomb := append([]byte{0xdd, 0, 0, 0x80, 0}, bytes.Repeat([]byte{0x80}, 1<<15)...)
	wantRefused[[]sparse](t, bomb, ruleMemory)
	if _, err := redisadapter.Msgpack[[]sparse]().Append(nil, make([]sparse, 1<<15)); err == nil {
		t.Fatal("Append wrote what Decode refuses")
	}
}
