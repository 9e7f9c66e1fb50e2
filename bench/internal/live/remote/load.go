package remote

import "time"

// load is one call that the source works on or will.
type load struct {
	link      *link
	call, key uint64
	turn      uint64        // how many loads of this key were before
	left      chan struct{} // closed when its caller has left
}

// arrive takes a load in; false is one whose number is in use.
func (s *Server) arrive(l *link, r request) bool {
	now := time.Now()
	s.onCall(r.key, now)
	counts := s.counts.Load()
	if counts != nil {
		counts.SourceCall(now)
	}
	s.mu.Lock()
	if l.loads[r.call] != nil {
		s.mu.Unlock()
		return false
	}
	work := &load{link: l, call: r.call, key: r.key, turn: s.turns[r.key], left: make(chan struct{})}
	s.turns[r.key]++
	if s.fault.Down {
		s.mu.Unlock()
		l.send(answer{status: statusFailed, call: r.call}.append(nil))
		return true
	}
	l.loads[r.call] = work
	s.queue = append(s.queue, work)
	next := s.nextLocked()
	working, outstanding := s.levelLocked()
	s.mu.Unlock()
	if counts != nil {
		counts.SourceLevel(now, working, outstanding)
	}
	if next != nil {
		s.running.Go(func() { s.workOn(next) })
	}
	return true
}

// leave is told that the caller of a load waits no longer.
func (s *Server) leave(l *link, call uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if work := l.loads[call]; work != nil { // else its answer is on the way already
		delete(l.loads, call)
		close(work.left)
	}
}

// levelLocked is how many loads are worked on, and how many there are with those that wait.
func (s *Server) levelLocked() (working, outstanding int) {
	return s.working, s.working + len(s.queue) - s.head
}

// nextLocked gives a free worker the next load.
func (s *Server) nextLocked() *load {
	for s.working < s.model.Slots && s.head < len(s.queue) {
		next := s.queue[s.head]
		s.queue[s.head] = nil
		s.head++
		if s.head == len(s.queue) {
			s.queue, s.head = s.queue[:0], 0
		} else if s.head > 1024 && s.head > len(s.queue)/2 {
			s.queue, s.head = append([]*load(nil), s.queue[s.head:]...), 0
		}
		if s.model.DropsAbandoned && next.hasLeft() {
			continue
		}
		s.working++
		return next
	}
	return nil
}

func (w *load) hasLeft() bool {
	select {
	case <-w.left:
		return true
	default:
		return false
	}
}

// workOn is one worker: it takes loads until there are none left.
func (s *Server) workOn(work *load) {
	for work != nil {
		reply := s.work(work)
		now := time.Now()
		s.mu.Lock()
		waited := work.link.loads[work.call] == work
		if waited {
			delete(work.link.loads, work.call)
		}
		s.working--
		next := s.nextLocked()
		working, outstanding := s.levelLocked()
		s.mu.Unlock()
		if counts := s.counts.Load(); counts != nil {
			counts.SourceLevel(now, working, outstanding)
			if !waited {
				counts.SourceWasted(now)
			}
		}
		if waited {
			work.link.send(reply.append(nil))
		}
		work = next
	}
}

// work takes the time that a load takes. The row is read first, as a database reads before it sends.
func (s *Server) work(work *load) answer {
	s.mu.Lock()
	wrong := s.fault
	s.mu.Unlock()
	var left <-chan struct{} // never, for a source that does not look
	if s.model.DropsAbandoned {
		left = work.left
	}
	if wrong.Hang.holds(work.key, work.turn) {
		select {
		case <-wrong.over:
		case <-left:
		case <-s.ended:
		}
	}
	takes, luck := s.model.takes(work.key, work.turn, wrong.Fault)
	row := RowOf(work.key, s.model.BodyBytes, time.Now())
	timer := time.NewTimer(takes)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-left:
	case <-s.ended:
	}
	switch {
	case luck < wrong.Errors:
		return answer{status: statusFailed, call: work.call}
	case row.Version == 0:
		return answer{status: statusNoRow, call: work.call}
	default:
		return answer{status: statusRow, call: work.call, row: row}
	}
}
