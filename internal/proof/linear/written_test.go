package linear_test

import (
	"testing"
	"time"
)

// at makes an operation of a client from one moment to another.
func at(began, ended time.Duration, o operation) operation {
	o.key, o.began, o.ended = "k", began, ended
	return o
}

func sees(value int) operation { return operation{verb: lookup, seen: sight{value: value}} }

func seesTombstone(observation string) operation {
	return operation{verb: lookup, seen: sight{tombstone: true, observation: observation}}
}

func records(value int, over sight, became result) operation {
	return operation{verb: record, value: value, asked: over, result: became}
}

func invalidates(became result) operation { return operation{verb: invalidate, result: became} }

func deletes(became result) operation { return operation{verb: remove, result: became} }

// TestTheCheckerKnowsRightFromWrong judges histories whose verdict can be seen by reading them.
func TestTheCheckerKnowsRightFromWrong(t *testing.T) {
	t.Parallel()
	absent, one, mark := sight{}, sight{value: 1}, sight{tombstone: true, observation: "a"}
	for _, test := range []struct {
		name  string
		right bool
		told  history
	}{
		{"a value is read after its record", true, history{at(1, 2, records(1, absent, applied)), at(3, 4, sees(1))}},
		{"a value is not read after its record", false, history{at(1, 2, records(1, absent, applied)), at(3, 4, sees(0))}},
		{"a value is read before its record began", false, history{at(3, 4, records(1, absent, applied)), at(1, 2, sees(1))}},
		{"of two records of an absent key one is refused", true, history{
			at(1, 4, records(1, absent, applied)), at(2, 3, records(2, absent, refused)), at(5, 6, sees(1)),
		}},
		{"two records of an absent key are applied", false, history{at(1, 4, records(1, absent, applied)), at(2, 3, records(2, absent, applied))}},
		{"a record is refused with nothing there", false, history{at(1, 2, records(1, absent, refused))}},
		{"two replaces of one value are applied", false, history{
			at(1, 2, records(1, absent, applied)), at(3, 6, records(2, one, applied)), at(4, 5, records(3, one, applied)),
		}},
		{"an unconditional write over a newer value", false, history{
			at(1, 2, records(1, absent, applied)), at(3, 4, records(2, one, applied)), at(5, 6, records(3, one, applied)), at(7, 8, sees(3)),
		}},
		{"an unknown record is read at once", true, history{at(1, 2, records(1, absent, unknown)), at(3, 4, sees(1))}},
		{"an unknown record is read much later", true, history{
			at(1, 2, records(1, absent, unknown)), at(3, 4, sees(0)), at(5, 6, sees(1)), at(7, 8, sees(1)),
		}},
		{"an unknown record is never read", true, history{at(1, 2, records(1, absent, unknown)), at(3, 4, sees(0)), at(5, 6, sees(0))}},
		{"an unknown record is read, gone and read again", false, history{
			at(1, 2, records(1, absent, unknown)), at(3, 4, sees(1)), at(5, 6, sees(0)), at(7, 8, sees(1)),
		}},
		{"an unknown record fills a key that holds another value", false, history{
			at(1, 2, records(1, absent, applied)), at(3, 4, records(2, absent, unknown)), at(5, 6, sees(2)),
		}},
		{"a record that had no effect is read", false, history{at(1, 2, records(1, absent, nothing)), at(3, 4, sees(1))}},
		{"a lost reply is told as refused", false, history{at(1, 2, records(1, absent, refused)), at(3, 4, sees(1))}},
		{"a replace finds its value gone", true, history{
			at(1, 2, records(1, absent, applied)), at(3, 4, deletes(applied)), at(5, 6, records(2, one, gone)),
		}},
		{"a replace finds its value gone that is there", false, history{at(1, 2, records(1, absent, applied)), at(3, 4, records(2, one, gone))}},
		{"a tombstone refuses what was observed before it", true, history{
			at(1, 2, records(1, absent, applied)), at(3, 4, invalidates(applied)), at(5, 6, records(2, one, refused)), at(7, 8, seesTombstone("a")),
		}},
		{"a fill from before survives an invalidation", false, history{
			at(1, 2, records(1, absent, applied)), at(3, 4, invalidates(applied)), at(5, 6, sees(1)),
		}},
		{"a tombstone is replaced by who saw it", true, history{
			at(1, 2, invalidates(applied)), at(3, 4, seesTombstone("a")), at(5, 6, records(2, mark, applied)), at(7, 8, sees(2)),
		}},
		{"a tombstone is replaced by who saw another", false, history{
			at(1, 2, invalidates(applied)), at(3, 4, seesTombstone("a")), at(5, 6, invalidates(applied)), at(7, 8, records(2, mark, applied)),
		}},
		{"one tombstone has two observations", false, history{at(1, 2, invalidates(applied)), at(3, 4, seesTombstone("a")), at(5, 6, seesTombstone("b"))}},
		{"who saw a tombstone may fill when it is gone", true, history{
			at(1, 2, invalidates(applied)), at(3, 4, seesTombstone("a")), at(5, 6, deletes(applied)), at(7, 8, records(2, mark, applied)),
		}},
		{"an unknown invalidation comes late", true, history{
			at(1, 2, invalidates(unknown)), at(3, 4, records(1, absent, applied)), at(5, 6, sees(1)), at(7, 8, seesTombstone("a")),
		}},
		{"a value was never written", false, history{at(1, 2, sees(7))}},
	} {
		if err := test.told.judge(time.Minute); (err == nil) != test.right {
			t.Errorf("%s: right is %t, the checker says %v", test.name, test.right, err)
		}
	}
}
