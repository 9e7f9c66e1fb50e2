package explore

import "time"

// Settle implements [System]: every call is answered with the truth, the writer invalidates what it wrote, ghosts arrive, then everybody reads once
// more, and once again after so much time that nothing is remembered: that read is to succeed.
func (f *Fills) Settle() string {
	f.takeIn()
	if calls := f.parking.Waiting(); len(calls) > 0 {
		f.reply(calls[0])
		return calls[0].Name() + " is answered"
	}
	if f.writing != nil && !f.writing.on && !f.actors[f.cfg.Writer].crashed {
		f.startInvalidate(f.cfg.OnlyPuts)
		return "the writer begins to invalidate"
	}
	if len(f.ghosts) > 0 {
		name := f.ghosts[0].name
		f.land(f.ghosts[0])
		return name + ", which nobody waits for, takes effect"
	}
	if f.waitsForTime() {
		f.advance(f.nextMoment())
		return "time passes, to the next timer"
	}
	f.ending++
	switch f.ending {
	case 1, 3:
		for _, a := range f.actors {
			if !a.crashed {
				f.startGet(a)
			}
		}
		return "everybody begins to read"
	case 2:
		f.checkGivenBack()
		f.advance(time.Now().Add(f.cfg.Policy.FailureBackoff + 2*f.cfg.Policy.LoadDeadline))
		f.calm = true
		return "time passes, until nothing is remembered"
	default:
		return ""
	}
}

// waitsForTime tells whether a caller waits, with no call of its process on, or a flight of a fleet whose callers have left it to go on.
func (f *Fills) waitsForTime() bool {
	for _, a := range f.actors {
		if f.fences != nil && !a.crashed && a.region.Stats().InFlightKeys > 0 {
			return true
		}
		for _, g := range a.gets {
			if !g.done && !a.crashed {
				return true
			}
		}
	}
	return false
}

func (f *Fills) nextMoment() time.Time {
	now := time.Now()
	if at := earliest(now, f.timers()); !at.IsZero() {
		return at
	}
	return now.Add(time.Millisecond)
}
