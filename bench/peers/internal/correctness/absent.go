package correctness

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
)

// AbsentObservation is what is remembered of a row that is not there, of one that is empty, and of a failure.
type AbsentObservation struct {
	Absent  Remembered `json:"absent"`
	Empty   Remembered `json:"empty"`
	Failure Remembered `json:"failure"`
	Created string     `json:"created"` // what is read of the absent row once it was written and invalidated: "new" or how that ended
}

// Remembered is how many loads a number of reads one after another cost, and how many of them were told what the source said.
type Remembered struct {
	Reads int `json:"reads"`
	Loads int `json:"loads"`
	Told  int `json:"told"`
}

const readsInARow = 3

// measureAbsent reads three keys three times each, and between them writes the row that was not there and invalidates it.
func measureAbsent(ctx context.Context, s *stage) (o AbsentObservation, err error) {
	source := newSource(nil)
	reader, err := s.open(source, longTTL())
	if err != nil {
		return o, err
	}
	absent, empty, failing := s.first, s.first+1, s.first+2
	source.become(func(context.Context, uint64) (contender.Row, error) { return contender.Row{}, contender.ErrNoRow })
	o.Absent = readInARow(ctx, reader, source, absent, func(a contender.Answer) bool { return a.Ending == contender.Absent })
	if o.Created, err = created(ctx, reader, source, absent); err != nil {
		return o, err
	}
	source.become(func(context.Context, uint64) (contender.Row, error) {
		return contender.Row{Version: 1, ReadAt: time.Now().UnixMicro()}, nil
	})
	o.Empty = readInARow(ctx, reader, source, empty, func(a contender.Answer) bool {
		return a.Ending.Answered() && a.Ending != contender.Absent && source.gave(empty, a.Row)
	})
	source.become(failAfter(time.Millisecond))
	o.Failure = readInARow(ctx, reader, source, failing, func(a contender.Answer) bool { return !a.Ending.Answered() })
	return o, ctx.Err()
}

// created writes the row and says what is read of it then.
func created(ctx context.Context, reader contender.Reader, source *source, key uint64) (string, error) {
	source.become(rowAfter(time.Millisecond, newVersion))
	limit, cancel := context.WithTimeout(ctx, callerDeadline)
	defer cancel()
	if err := reader.Invalidate(limit, key); err != nil {
		return "invalidation failed", nil
	}
	return versionOf(gather(ctx, 1, callerDeadline, asks(reader, source, always(key)))), ctx.Err()
}

func readInARow(ctx context.Context, reader contender.Reader, source *source, key uint64, told func(contender.Answer) bool) Remembered {
	source.restart()
	r := Remembered{Reads: readsInARow}
	for range r.Reads {
		if told(read(ctx, reader, key, callerDeadline)) {
			r.Told++
		}
	}
	r.Loads = source.loads()
	return r
}

func judgeAbsent(o AbsentObservation) string {
	parts := []string{
		"absence: " + o.Absent.sentence("remembered"),
		"empty row: " + o.Empty.sentence("kept"),
		"failure: " + o.Failure.sentence("remembered"),
	}
	if o.Created == "new" {
		parts = append(parts, "a row written later is seen after its invalidation")
	} else {
		parts = append(parts, "a row written later is not seen after its invalidation: "+o.Created)
	}
	return strings.Join(parts, "; ")
}

func (r Remembered) sentence(word string) string {
	text := "not " + word
	if r.Loads == 1 {
		text = word
	}
	text = fmt.Sprintf("%s, %s", text, plural(r.Loads, "load"))
	if r.Told != r.Reads {
		text += fmt.Sprintf(", told rightly %d of %d times", r.Told, r.Reads)
	}
	return text
}
