package servers_test

import (
	"errors"
	"strconv"
	"strings"
	"testing"
)

var errNotWhole = errors.New("the value is not one that was written as a whole")

const alphabet = "abcdefghijklmnopqrstuvwxyz"

// compose makes a value that tells under which key it was written and as which, and of which no part can be lost or of another unnoticed.
func compose(key string, id int64, size int) string {
	head := key + "#" + strconv.FormatInt(id, 10) + "#" + strconv.Itoa(size) + "#"
	turn := int(id % int64(len(alphabet)))
	pattern := alphabet[turn:] + alphabet[:turn]
	return head + strings.Repeat(pattern, size/len(pattern)+1)[:size] + "."
}

// whole takes apart what compose made, and refuses everything else.
func whole(text string) (key string, id int64, err error) {
	parts := strings.SplitN(text, "#", 4)
	if len(parts) != 4 {
		return "", 0, errNotWhole
	}
	id, err = strconv.ParseInt(parts[1], 10, 64)
	size, err2 := strconv.Atoi(parts[2])
	if err != nil || err2 != nil || id < 0 || size < 0 || size > len(text) || compose(parts[0], id, size) != text {
		return "", 0, errNotWhole
	}
	return parts[0], id, nil
}

func TestAValueThatIsCutMixedOrMovedIsNotWhole(t *testing.T) {
	t.Parallel()
	text, other := compose("key", 12, 100), compose("key", 13, 100)
	if key, id, err := whole(text); key != "key" || id != 12 || err != nil {
		t.Fatalf("a whole value reads %s %d, %v", key, id, err)
	}
	for what, damaged := range map[string]string{
		"cut": text[:50], "mixed": text[:50] + other[50:], "empty": "", "longer": text + "x", "a byte": strings.Replace(text, "mno", "mnp", 1),
	} {
		if _, _, err := whole(damaged); err == nil {
			t.Errorf("%s: counts as whole", what)
		}
	}
}
