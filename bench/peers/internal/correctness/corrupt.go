package correctness

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/bench/internal/contender"
	"github.com/cacheaside/resilience/bench/peers/internal/adapters"
)

// Damage is what readers got of damaged bytes, one reader a trial.
type Damage struct {
	Trials   int            `json:"trials"`
	Wrong    int            `json:"wrong"`    // a row that the source never gave for the key
	Reloaded int            `json:"reloaded"` // the row, out of the source
	Right    int            `json:"right"`    // the row, without a load: the damage did not matter
	Errors   map[string]int `json:"errors"`
	NotBack  int            `json:"not_back"`
}

// CorruptObservation is what readers got by the kind of damage, and whether another key was still a hit afterwards.
type CorruptObservation struct {
	Flipped   Damage `json:"flipped"`
	Half      Damage `json:"half"`
	Truncated Damage `json:"truncated"`
	Swapped   Damage `json:"swapped"`
	Bystander bool   `json:"bystander"`
}

// flips is the number of places at which a bit is flipped, each in an entry that is otherwise whole.
const flips = 16

// measureCorrupt damages the bytes under one key in several ways and lets a new process read them each time; the time to live stays.
func measureCorrupt(ctx context.Context, s *stage) (CorruptObservation, error) {
	if s.peer.InMemory() {
		return CorruptObservation{}, &NotMeasured{"not applicable: nothing is stored outside the process"}
	}
	client := s.inspect()
	defer client.Close()
	damaged, bystander := s.first, s.first+1
	source := newSource(rowAfter(time.Millisecond, 1))
	entry, err := s.store(ctx, client, source, damaged)
	if err != nil {
		return CorruptObservation{}, err
	}
	other, err := s.store(ctx, client, source, bystander)
	if err != nil {
		return CorruptObservation{}, err
	}
	var o CorruptObservation
	trial := func(into *Damage, value []byte) {
		if err == nil {
			err = s.trial(ctx, client, source, damaged, stored{entry.name, value}, into)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range flips {
		trial(&o.Flipped, flip(entry.value, random))
	}
	trial(&o.Half, half(entry.value))
	trial(&o.Truncated, entry.value[:len(entry.value)/2])
	trial(&o.Swapped, other.value)
	if err != nil {
		return CorruptObservation{}, err
	}
	reader, err := s.open(source, longTTL())
	if err != nil {
		return CorruptObservation{}, err
	}
	before := source.loads()
	answer := read(ctx, reader, bystander, callerDeadline)
	o.Bystander = source.gave(bystander, answer.Row) && source.loads() == before
	return o, nil
}

// trial puts the bytes under the key and lets a process that never read it read it.
func (s *stage) trial(ctx context.Context, client *redis.Client, source *source, key uint64, damaged stored, into *Damage) error {
	if err := client.Set(ctx, damaged.name, damaged.value, longTTL().Soft).Err(); err != nil {
		return err
	}
	reader, err := s.open(source, longTTL())
	if err != nil {
		return err
	}
	before := source.loads()
	c := gather(ctx, 1, callerDeadline, func(ctx context.Context, _ int) contender.Answer { return reader.Get(ctx, key) })
	select {
	case r := <-c.back:
		into.add(r.answer, r.answer.Ending.Answered() && !source.gave(key, r.answer.Row), source.loads() > before)
	case <-time.After(patience):
		into.Trials++
		into.NotBack++
	}
	return nil
}

func (d *Damage) add(answer contender.Answer, wrong, loaded bool) {
	d.Trials++
	switch {
	case wrong:
		d.Wrong++
	case answer.Ending.Answered() && loaded:
		d.Reloaded++
	case answer.Ending.Answered():
		d.Right++
	default:
		if d.Errors == nil {
			d.Errors = map[string]int{}
		}
		d.Errors[answer.Reason]++
	}
}

func judgeCorrupt(o CorruptObservation) string {
	others := "other keys untouched"
	if !o.Bystander {
		others = "another key lost"
	}
	return strings.Join([]string{
		"a bit flipped: " + o.Flipped.sentence(),
		"half overwritten: " + o.Half.sentence(),
		"cut in half: " + o.Truncated.sentence(),
		"another key's bytes: " + o.Swapped.sentence(),
		others,
	}, "; ")
}

// refusal says how a reader was told that the bytes are no good.
func refusal(reason string) string {
	switch reason {
	case adapters.ReasonEntry:
		return "typed error"
	case adapters.ReasonOther:
		return "error"
	default:
		return "error (" + reason + ")"
	}
}

// sentence says what came of it, with counts where there was more than one trial.
func (d Damage) sentence() string {
	t := Tally{Others: map[string]int{}}
	t.Others["wrong value"], t.Others["reloaded"], t.Others["right value"] = d.Wrong, d.Reloaded, d.Right
	t.Others["no return"] = d.NotBack
	for reason, n := range d.Errors {
		t.Others[refusal(reason)] = n
	}
	text := t.rest()
	if d.Trials == 1 {
		return strings.TrimPrefix(text, "1 ")
	}
	return fmt.Sprintf("%s, of %d", text, d.Trials)
}
