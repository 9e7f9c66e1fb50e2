package correctness

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// OtherNodeObservation is what a second process answers after a first has invalidated.
type OtherNodeObservation struct {
	Error string    `json:"error,omitempty"`
	After Staleness `json:"after"`
}

// measureOtherNode lets two readers hold a row, and one of them invalidate it.
func measureOtherNode(ctx context.Context, s *stage) (o OtherNodeObservation, err error) {
	source := newSource(rowAfter(time.Millisecond, oldVersion))
	one, err := s.open(source, shortTTL())
	if err != nil {
		return o, err
	}
	two, err := s.open(source, shortTTL())
	if err != nil {
		return o, err
	}
	for range 2 { // once to store it, once to hold it
		if err := errors.Join(warm(ctx, one, s.first), warm(ctx, two, s.first)); err != nil {
			return o, err
		}
	}
	source.become(rowAfter(time.Millisecond, newVersion))
	limit, cancel := context.WithTimeout(ctx, callerDeadline)
	defer cancel()
	if err := one.Invalidate(limit, s.first); err != nil {
		o.Error = "invalidation failed"
	}
	o.After, err = observe(ctx, two, s.first)
	return o, err
}

func judgeOtherNode(o OtherNodeObservation) string {
	if o.Error != "" {
		return fmt.Sprintf("%s; %s", o.Error, o.After.sentence())
	}
	return o.After.sentence()
}
