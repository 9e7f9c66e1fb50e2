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

// TestAnObservedReplaceOfALargeEntryReadsItsDigestAlone compares an entry of 16 MiB with what was observed: what the server sends and how long the
// script holds it up is what a digest costs, and not what the entry would. The script's time is that of replaces that are refused, since a server
// frees the 16 MiB that an applied one replaces within the same command, which takes it a millisecond and more.
func TestAnObservedReplaceOfALargeEntryReadsItsDigestAlone(t *testing.T) {
	server, client := started(t)
	cfg := patient(base())
	mock := mockNow()
	cfg.Clock, cfg.MaxValueBytes = mock, 16<<20
	c := open(t, client, cfg)
	proxy := redistest.StartProxy(t, server.Addr())
	narrow := open(t, through(t, proxy, false), cfg)
	ctx := context.Background()
	observe := func(v string) cacheaside.Condition {
		client.FlushAll(ctx)
		mustApply(t, c.Record(ctx, "key", value(v), ifAbsent))
		mock.Add(11 * time.Second)
		return ifObserved(wantKind(t, c.Lookup(ctx, "key"), cacheaside.LookupStale).Observation)
	}
	before := observe("before")
	mustApply(t, narrow.Record(ctx, "key", value("so that the server knows the script"), before))
	large := observe(strings.Repeat("x", 16<<20-16))

	fastest := time.Hour
	for range 5 {
		client.ConfigResetStat(ctx)
		sent := proxy.Traffic().FromServer
		wantOutcome(t, narrow.Record(ctx, "key", value("small"), before), cacheaside.RecordNotApplied, cacheaside.RecordConditionFailed)
		if sent = proxy.Traffic().FromServer - sent; sent > 1<<10 {
			t.Fatalf("the server sent %d bytes for a refusal", sent)
		}
		fastest = min(fastest, time.Duration(statOf(t, client, "commandstats", "cmdstat_evalsha:calls=1,usec="))*time.Microsecond)
	}
	if fastest >= time.Millisecond {
		t.Fatalf("the script took %v in the best of five runs", fastest)
	}

	seen := server.Monitor()
	sent := proxy.Traffic().FromServer
	mustApply(t, narrow.Record(ctx, "key", value("small"), large))
	if sent = proxy.Traffic().FromServer - sent; sent > 1<<10 {
		t.Fatalf("the server sent %d bytes for a replace", sent)
	}
	wantOnly(t, seen, "EVALSHA")
	reads := 0
	for _, command := range seen.Commands() {
		if !command.InScript() || command.Name() != "GETRANGE" {
			continue
		}
		if reads++; command.Args[2] != "-32" || command.Args[3] != "-1" {
			t.Fatalf("the script reads from %s to %s", command.Args[2], command.Args[3])
		}
	}
	if reads != 1 {
		t.Fatalf("the script reads %d times", reads)
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
