package redisadapter_test

import (
	"context"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/internal/redistest"
)

// TestAnObservedReplaceOfALargeEntryReadsItsDigestAlone replaces an entry of 16 MiB by a small one: what the server sends and how long the script holds
// it up is what a digest costs, and not what the entry would.
func TestAnObservedReplaceOfALargeEntryReadsItsDigestAlone(t *testing.T) {
	server, client := started(t)
	cfg := patient(base())
	mock := mockNow()
	cfg.Clock, cfg.MaxValueBytes = mock, 16<<20
	c := open(t, client, cfg)
	proxy := redistest.StartProxy(t, server.Addr())
	narrow := open(t, through(t, proxy, false), cfg)
	mustApply(t, narrow.Invalidate(context.Background(), "to open a connection"))
	ctx := context.Background()
	large := strings.Repeat("x", 16<<20-16)
	fastest := time.Hour
	for run := range 3 {
		client.FlushAll(ctx)
		mustApply(t, c.Record(ctx, "key", value(large), ifAbsent))
		mock.Add(11 * time.Second)
		observed := wantKind(t, c.Lookup(ctx, "key"), cacheaside.LookupStale).Observation
		if run == 0 { // with the commands recorded, which makes the script no faster
			seen := server.Monitor()
			narrow.Record(ctx, "key", value("small"), ifObserved(observed))
			wantOnly(t, seen, "EVALSHA", "EVAL")
			for _, command := range seen.Commands() {
				if command.InScript() && command.Name() == "GETRANGE" && (command.Args[2] != "-32" || command.Args[3] != "-1") {
					t.Fatalf("the script reads from %s to %s", command.Args[2], command.Args[3])
				}
			}
			if reads := seen.CountInScripts("GETRANGE"); reads != 1 {
				t.Fatalf("the script reads %d times", reads)
			}
			continue
		}
		client.ConfigResetStat(ctx)
		before := proxy.Traffic()
		mustApply(t, narrow.Record(ctx, "key", value("small"), ifObserved(observed)))
		if sent := proxy.Traffic().FromServer - before.FromServer; sent > 1<<10 {
			t.Fatalf("the server sent %d bytes", sent)
		}
		spent := time.Duration(statOf(t, client, "commandstats", "cmdstat_evalsha:calls=1,usec=")) * time.Microsecond
		fastest = min(fastest, spent)
	}
	// Freeing what was replaced takes about a millisecond by itself, reading it in a script more than ten.
	if fastest >= 5*time.Millisecond {
		t.Fatalf("the script took %v in the best of the runs", fastest)
	}
}

// statOf is a number from the server's statistics.
func statOf(t testing.TB, client *redis.Client, section, prefix string) int64 {
	t.Helper()
	_, rest, found := strings.Cut(client.Info(context.Background(), section).Val(), prefix)
	if !found {
		t.Fatalf("no %s in the server's %s", prefix, section)
	}
	digits := strings.IndexFunc(rest, func(r rune) bool { return r < '0' || r > '9' })
	n, err := strconv.ParseInt(rest[:digits], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
