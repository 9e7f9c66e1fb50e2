package redisadapter

import (
	"strconv"
	"strings"
	"time"

	"github.com/cacheaside/resilience/lease"
)

// What the scripts of leases begin their answers with.
const (
	leaseForeign    = "0"
	leaseDone       = "1"
	leaseOther      = "2" // held by another; unheld
	leaseSuperseded = "2"
	leaseExpired    = "3"
	leaseMaxHold    = "4"
)

// leaseAnswer is what a script said, to a call that began at a moment of the caller's clock. An answer that the script cannot have given comes from
// something else, and then it is not known what was done.
type leaseAnswer struct {
	op    lease.Op
	text  string
	began time.Time
}

// stranger is the identity, or "-", of a server that may not grant.
func (a leaseAnswer) stranger() (identity string, is bool) {
	return strings.CutPrefix(a.text, "stranger ")
}

func (a leaseAnswer) acquired(arrived time.Time) (lease.Acquired, error) {
	kind, rest, _ := strings.Cut(a.text, " ")
	switch kind {
	case leaseDone:
		if n, ok := numbers(rest, 3); ok {
			if grant, ok := a.grant(n[0], n[1], n[2]); ok {
				return lease.AcquiredAt(grant, arrived), nil
			}
		}
	case leaseOther:
		left, owner, _ := strings.Cut(rest, " ")
		if n, ok := numbers(left, 1); ok && n[0] > 0 && len(owner) <= lease.MaxOwnerBytes {
			return lease.Acquired{Kind: lease.Held, Owner: owner, Remaining: micros(n[0])}, nil
		}
	}
	return lease.Acquired{}, a.odd()
}

func (a leaseAnswer) renewed(token lease.Token, arrived time.Time) (lease.Renewed, error) {
	kind, rest, _ := strings.Cut(a.text, " ")
	if kind == leaseDone {
		if n, ok := numbers(rest, 2); ok {
			if grant, ok := a.grant(int64(token), n[0], n[1]); ok {
				return lease.RenewedAt(grant, arrived), nil
			}
		}
		return lease.Renewed{}, a.odd()
	}
	lost, ok := a.lost()
	if !ok {
		return lease.Renewed{}, a.odd()
	}
	return lease.Renewed{Lost: lost}, nil
}

// released takes a loss for what it is, unless the release was sent twice by a hook of the client: then the first may have done it.
func (a leaseAnswer) released(twice bool) (lease.Released, error) {
	if a.text == leaseDone {
		return lease.Released{}, nil
	}
	lost, ok := a.lost()
	switch {
	case !ok:
		return lease.Released{}, a.odd()
	case twice && lost == lease.LostExpired:
		return lease.Released{}, lease.Indeterminate(a.op, newStoreError(string(a.op), FaultUnknown))
	}
	return lease.Released{Lost: lost}, nil
}

func (a leaseAnswer) inspection() (lease.Inspection, error) {
	kind, rest, _ := strings.Cut(a.text, " ")
	switch kind {
	case leaseDone:
		if fields := strings.SplitN(rest, " ", 3); len(fields) == 3 && len(fields[2]) <= lease.MaxOwnerBytes {
			n, ok := numbers(fields[0]+" "+fields[1], 2)
			if ok && isToken(n[0]) && n[1] > 0 {
				return lease.Inspection{Live: true, Token: lease.Token(n[0]), Remaining: micros(n[1]), Owner: fields[2]}, nil
			}
		}
	case leaseOther:
		if n, ok := numbers(rest, 1); ok && (n[0] == 0 || isToken(n[0])) {
			return lease.Inspection{Token: lease.Token(n[0])}, nil
		}
	}
	return lease.Inspection{}, a.odd()
}

func (a leaseAnswer) lost() (lease.Loss, bool) {
	switch a.text {
	case leaseSuperseded:
		return lease.LostSuperseded, true
	case leaseExpired:
		return lease.LostExpired, true
	case leaseMaxHold:
		return lease.LostMaxHold, true
	}
	return lease.NotLost, false
}

func (a leaseAnswer) grant(token, expires, now int64) (lease.Grant, bool) {
	if !isToken(token) || expires <= now {
		return lease.Grant{}, false
	}
	return lease.NewGrant(lease.Token(token), time.UnixMicro(expires).UTC(), time.UnixMicro(now).UTC(), a.began), true
}

// odd is the error of an answer that is none of a lease's: a record of something else, which was left as it is, or a reply of something else.
func (a leaseAnswer) odd() error {
	switch {
	case a.text == leaseForeign:
		return lease.NoDecision(a.op, newStoreError(string(a.op), FaultWrongType))
	case a.op == lease.OpInspect:
		return lease.NoDecision(a.op, newStoreError(string(a.op), FaultUnknown, errOddReply))
	}
	return lease.Indeterminate(a.op, newStoreError(string(a.op), FaultUnknown, errOddReply))
}

// numbers reads as many as are wanted, and no others.
func numbers(text string, want int) ([]int64, bool) {
	fields := strings.Split(text, " ")
	if len(fields) != want {
		return nil, false
	}
	list := make([]int64, want)
	for i, field := range fields {
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil || n < 0 || lease.Token(n) > lease.MaxToken {
			return nil, false
		}
		list[i] = n
	}
	return list, true
}

func isToken(n int64) bool { return n >= 1 && lease.Token(n) <= lease.MaxToken }

func micros(n int64) time.Duration { return time.Duration(n) * time.Microsecond }
