package posture_test

import (
	"slices"
	"testing"

	"github.com/cacheaside/resilience/internal/redistest"
	"github.com/cacheaside/resilience/redisadapter"
)

// TestAnOptOutSilencesOnlyItsOwnFinding has every kind of finding on one server at once, but for what an opt-out has no say in.
func TestAnOptOutSilencesOnlyItsOwnFinding(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Options{
		MaxMemory: "64mb", MaxMemoryPolicy: "allkeys-lru", Users: []string{"app on >secret ~* +info +evalsha +eval"},
		Config: []string{"rename-command CONFIG \"\""},
	})
	options := server.ClientOptions()
	options.Username, options.Password = "app", "secret"
	client := clientOf(t, options)
	former := redisadapter.Identity("0123456789abcdef0123456789abcdef01234567:-")
	const (
		evicts     = "eviction maxmemory-policy"
		append     = "durability appendonly"
		fsync      = "unverifiable appendfsync"
		rewrite    = "unverifiable no-appendfsync-on-rewrite"
		time       = "capability TIME"
		other      = "identity run_id, master_replid"
		acceptLoss = "AcknowledgedWritesMayBeLost"
		acceptDark = "UnverifiedServerAccepted"
		acceptNext = "ResumeAfterFailover"
	)
	all := []string{evicts, append, fsync, rewrite, time, other}
	tests := map[string]struct {
		accept  []string
		silence []string
	}{
		"none":     {nil, nil},
		"loss":     {[]string{acceptLoss}, []string{append}},
		"unknown":  {[]string{acceptDark}, []string{fsync, rewrite}},
		"failover": {[]string{acceptNext}, nil}, // not before MaxHold has passed
		"all":      {[]string{acceptLoss, acceptDark, acceptNext}, []string{append, fsync, rewrite}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			needs := leases()
			needs.Known = []redisadapter.Identity{former}
			needs.AcknowledgedWritesMayBeLost = slices.Contains(test.accept, acceptLoss)
			needs.UnverifiedServerAccepted = slices.Contains(test.accept, acceptDark)
			needs.ResumeAfterFailover = slices.Contains(test.accept, acceptNext)
			refused := slices.DeleteFunc(slices.Clone(all), func(name string) bool { return slices.Contains(test.silence, name) })
			mustFind(t, client, needs, refused, test.silence)
		})
	}
}
