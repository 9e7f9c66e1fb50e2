package explore

import (
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

// recordLives is how many leases a fence record is kept.
const recordLives = 4

// fenceRecord is the row's fence record, in times of the server's clock. The zero value is none.
type fenceRecord struct {
	token    uint64
	request  cacheaside.RequestID
	expires  time.Time // the grant is live before
	until    time.Time // the record is there before
	revision cacheaside.Revision
}

func (r *fenceRecord) present(now time.Time) bool { return r.token != 0 && now.Before(r.until) }

func (r *fenceRecord) live(now time.Time) bool { return r.present(now) && now.Before(r.expires) }

func (r *fenceRecord) is(fence cacheaside.Fence, now time.Time) bool {
	return r.present(now) && r.token == fence.Token && r.request == fence.Request
}

// issue gives the next token.
func (r *fenceRecord) issue(request cacheaside.RequestID, now time.Time, lease, kept time.Duration) {
	if !r.present(now) {
		*r = fenceRecord{}
	}
	r.token, r.request, r.expires = max(r.token+1, uint64(now.UnixMicro())), request, now.Add(lease) //nolint:gosec // the bubble's time is positive
	if until := now.Add(kept); until.After(r.until) {
		r.until = until
	}
}

// release ends the grant.
func (r *fenceRecord) release(fence cacheaside.Fence, now time.Time) {
	if r.live(now) && r.request == fence.Request && (fence.Token == 0 || fence.Token == r.token) {
		r.expires = now
	}
}
