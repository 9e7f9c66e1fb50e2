package posture_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/internal/redistest"
	"github.com/cacheaside/resilience/redisadapter"
)

const password = "tellnobody"

func clientOf(t *testing.T, options *redis.Options) *redis.Client {
	t.Helper()
	client := redis.NewClient(options)
	t.Cleanup(func() {
		if err := client.Close(); err != nil {
			t.Error(err)
		}
	})
	return client
}

// TestC144_AServerThatRefusesToAnswerHasPassedNothing has users of a real server who lack one right each, in both protocols.
func TestC144_AServerThatRefusesToAnswerHasPassedNothing(t *testing.T) {
	t.Parallel()
	dark := []string{
		"unverifiable redis_mode", "unverifiable role", "unverifiable maxmemory-policy", "unverifiable appendonly",
		"unverifiable run_id, master_replid",
	}
	fsync := []string{"unverifiable appendfsync", "unverifiable no-appendfsync-on-rewrite"}
	unseen := []string{"unverifiable redis_mode", "unverifiable role", "unverifiable maxmemory-policy"} // by a cache, which asks for no more
	tests := map[string]struct {
		rights  string
		refused []string
		alone   []string // what the cache alone notes
	}{
		"everything": {rights: "+info +config|get +eval +evalsha +time"},
		"noinfo":     {rights: "+config|get +eval +evalsha +time", refused: dark, alone: unseen},
		"noconfig":   {rights: "+info +eval +evalsha +time", refused: fsync},
		"noeval":     {rights: "+info +config|get +evalsha +time", refused: []string{"capability EVAL"}, alone: []string{"capability EVAL"}},
		"noevalsha":  {rights: "+info +config|get +eval +time", refused: []string{"capability EVALSHA"}, alone: []string{"capability EVALSHA"}},
		"notime":     {rights: "+info +config|get +eval +evalsha", refused: []string{"capability TIME"}, alone: []string{"capability TIME"}},
		"nothing": {
			rights: "+ping", refused: slices.Concat(dark, fsync, []string{"capability EVALSHA"}), alone: append(unseen, "capability EVALSHA"),
		},
	}
	options := durable()
	for name, test := range tests {
		options.Users = append(options.Users, name+" on >"+password+" ~* "+test.rights)
	}
	server := redistest.Start(t, options)
	for name, test := range tests {
		for _, protocol := range []int{2, 3} {
			t.Run(name, func(t *testing.T) {
				flush(t, server)
				o := server.ClientOptions()
				o.Username, o.Password, o.Protocol = name, password, protocol
				client := clientOf(t, o)
				posture := mustFind(t, client, leases(), test.refused, nil)
				if text := posture.Report().String(); strings.Contains(text, password) || strings.Contains(text, name) {
					t.Errorf("names the user or its password: %s", text)
				}
				mustFind(t, client, redisadapter.Needs{}, nil, test.alone)

				needs, left, accepted := leases(), []string{}, []string{}
				needs.UnverifiedServerAccepted = true
				for _, finding := range test.refused {
					if strings.HasPrefix(finding, "unverifiable ") {
						accepted = append(accepted, finding)
					} else {
						left = append(left, finding)
					}
				}
				mustFind(t, client, needs, left, accepted)
			})
		}
	}
}

// flush makes a server forget scripts, so that EVAL is needed.
func flush(t *testing.T, server *redistest.Server) {
	t.Helper()
	if err := server.Client().ScriptFlush(t.Context()).Err(); err != nil {
		t.Fatal(err)
	}
}

func TestC144_ARenamedCommandIsARefusal(t *testing.T) {
	t.Parallel()
	options := durable()
	options.Config = []string{`rename-command CONFIG ""`}
	server := redistest.Start(t, options)
	mustFind(t, server.Client(), leases(), []string{"unverifiable appendfsync", "unverifiable no-appendfsync-on-rewrite"}, nil)
	mustFind(t, server.Client(), redisadapter.Needs{}, nil, nil)

	options.Config = []string{`rename-command INFO ""`}
	mustFind(t, redistest.Start(t, options).Client(), redisadapter.Needs{Queue: true}, []string{
		"unverifiable redis_mode", "unverifiable role", "unverifiable maxmemory-policy", "unverifiable appendonly",
	}, nil)
}
