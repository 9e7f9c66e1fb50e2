package posture_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/redisadapter"
)

// granter grants as a store of leases does: in a guarded script, once more if the server turns out to be trusted by now.
type granter struct {
	client  redis.UniversalClient
	posture *redisadapter.Posture
}

const grantSource = `
local seen = stranger(ARGV[1])
if seen then
  return 'stranger ' .. seen
end
return 'granted ' .. redis.call('INCR', KEYS[1])
`

var errStillStranger = errors.New("a server that was admitted is still a stranger")

// grant returns nil if it was granted.
func (g granter) grant(ctx context.Context, key string) error {
	for range 2 {
		answer, err := g.client.Eval(ctx, redisadapter.GuardedScript(grantSource), []string{key}, g.posture.GuardArgument()).Text()
		if err != nil {
			return err
		}
		seen, refused := strings.CutPrefix(answer, "stranger ")
		if !refused {
			return nil
		}
		if err := g.posture.Admit(ctx, seen); err != nil {
			return err
		}
	}
	return errStillStranger
}

// mustGrant and mustRefuse look at what is stored as well: a refusal must not have granted anything.
func (g granter) mustGrant(t *testing.T, key string) {
	t.Helper()
	before, _ := g.client.Get(t.Context(), key).Int()
	if err := g.grant(t.Context(), key); err != nil {
		t.Errorf("not granted: %v", err)
	}
	if after, _ := g.client.Get(t.Context(), key).Int(); after != before+1 {
		t.Errorf("%d grants are stored, want %d", after, before+1)
	}
}

func (g granter) mustRefuse(t *testing.T, key, finding string) error {
	t.Helper()
	before, _ := g.client.Get(t.Context(), key).Int()
	err := g.grant(t.Context(), key)
	if got := labels(apart(err)); len(got) != 1 || got[0] != finding {
		t.Errorf("refused with %q, want %q", got, finding)
	}
	if after, _ := g.client.Get(t.Context(), key).Int(); after != before {
		t.Errorf("%d grants are stored, want %d", after, before)
	}
	return err
}
