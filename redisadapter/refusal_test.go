package redisadapter_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/internal/redistest"
	"github.com/cacheaside/resilience/redisadapter"
)

func wantFaultOf(t *testing.T, err error, want redisadapter.Fault) {
	t.Helper()
	var failure *redisadapter.StoreError
	if !errors.As(err, &failure) || failure.Fault != want {
		t.Errorf("error %v, want %v", err, want)
	}
}

// refusing is a server with a fresh, a stale and no entry that then begins to refuse writes.
type refusing struct {
	cache     *redisadapter.Cache[string, string]
	condition cacheaside.Condition
}

func newRefusing(t *testing.T, client *redis.Client) refusing {
	t.Helper()
	ctx := context.Background()
	mock := mockNow()
	cfg := base()
	cfg.RecordTimeout, cfg.Clock = time.Second, mock
	cfg.LookupTimeout = time.Second
	c := open(t, client, cfg)
	mustApply(t, c.Record(ctx, "stale", value("old"), ifAbsent))
	mock.Add(10 * time.Second)
	mustApply(t, c.Record(ctx, "fresh", value("v"), ifAbsent))
	stale := wantKind(t, c.Lookup(ctx, "stale"), cacheaside.LookupStale)
	c.Record(ctx, "fresh", value("v"), ifObserved(stale.Observation)) // loads the script
	return refusing{c, ifObserved(stale.Observation)}
}

// writes are all the ways to write to such a server.
func (r refusing) writes() map[string]func() cacheaside.RecordOutcome {
	ctx := context.Background()
	large := strings.Repeat("x", 100<<10)
	return map[string]func() cacheaside.RecordOutcome{
		"absent":     func() cacheaside.RecordOutcome { return r.cache.Record(ctx, "missing", value("v"), ifAbsent) },
		"replace":    func() cacheaside.RecordOutcome { return r.cache.Record(ctx, "stale", value("v"), r.condition) },
		"swap":       func() cacheaside.RecordOutcome { return r.cache.Record(ctx, "stale", value(large), r.condition) },
		"invalidate": func() cacheaside.RecordOutcome { return r.cache.Invalidate(ctx, "fresh") },
	}
}

// wantRefused is what must come of a refusal: certain, classified, quick, and lookups go on.
func (r refusing) wantRefused(t *testing.T, want redisadapter.Fault) {
	t.Helper()
	ctx := context.Background()
	for name, write := range r.writes() {
		if want == redisadapter.FaultOutOfMemory && name == "invalidate" {
			continue // a tombstone is taken even then
		}
		for range 2 {
			var out cacheaside.RecordOutcome
			within(t, name, 150*time.Millisecond, func() { out = write() })
			wantOutcome(t, out, cacheaside.RecordNotApplied, cacheaside.RecordStoreRefused)
			wantFaultOf(t, out.Err, want)
		}
	}
	wantKind(t, r.cache.Lookup(ctx, "fresh"), cacheaside.LookupFresh)
	wantKind(t, r.cache.Lookup(ctx, "stale"), cacheaside.LookupStale)
	wantKind(t, r.cache.Lookup(ctx, "missing"), cacheaside.LookupMiss)
}

func (r refusing) wantAccepted(t *testing.T) {
	t.Helper()
	writes := r.writes()
	for _, name := range []string{"absent", "replace", "invalidate"} {
		if out := writes[name](); out.Certainty != cacheaside.RecordApplied {
			t.Errorf("%s: %v %v %v", name, out.Certainty, out.Reason, out.Err)
		}
	}
}

func TestC97_AReplicaRefusesWritesUntilItIsPromoted(t *testing.T) {
	server, admin := started(t)
	ctx := context.Background()
	for name, client := range map[string]*redis.Client{"recommended": server.Client(), "untouched": newClient(t, &redis.Options{Addr: server.Addr()})} {
		t.Run(name, func(t *testing.T) {
			admin.FlushAll(ctx)
			r := newRefusing(t, client)
			if err := admin.ReplicaOf(ctx, "127.0.0.1", "1").Err(); err != nil {
				t.Fatal(err)
			}
			r.wantRefused(t, redisadapter.FaultReadOnly)
			if err := admin.ReplicaOf(ctx, "NO", "ONE").Err(); err != nil {
				t.Fatal(err)
			}
			r.wantAccepted(t)
		})
	}
}

func TestAServerOutOfMemoryRefusesWritesAndAnswersLookups(t *testing.T) {
	_, client := started(t)
	ctx := context.Background()
	r := newRefusing(t, client)
	if err := client.ConfigSet(ctx, "maxmemory", "1").Err(); err != nil {
		t.Fatal(err)
	}
	r.wantRefused(t, redisadapter.FaultOutOfMemory)
	client.ConfigSet(ctx, "maxmemory", "0")
	r.wantAccepted(t)
}

func TestAServerThatCannotPersistRefusesWritesAndAnswersLookups(t *testing.T) {
	server, client := started(t)
	ctx := context.Background()
	r := newRefusing(t, client)
	// With a directory in its place the snapshot cannot be written, and the server refuses writes once it has noticed.
	if err := os.MkdirAll(filepath.Join(server.Process().Dir(), "dump.rdb", "x"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(client.ConfigSet(ctx, "save", "3600 1").Err(), client.BgSave(ctx).Err()); err != nil {
		t.Fatal(err)
	}
	waiting, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	for !strings.Contains(client.Info(waiting, "persistence").Val(), "rdb_last_bgsave_status:err") {
		if waiting.Err() != nil {
			t.Fatal("the server does not notice that its snapshot failed")
		}
	}
	r.wantRefused(t, redisadapter.FaultMisconfigured)
}

func TestAUserWithoutPermissionIsRefusedByName(t *testing.T) {
	server := redistest.Start(t, redistest.Options{Users: []string{"reader on >secret ~* +getrange +hello +client"}})
	writer := server.Client()
	ctx := context.Background()
	options := server.ClientOptions()
	options.Username, options.Password = "reader", "secret"
	r := newRefusing(t, writer)
	reader := open(t, newClient(t, options), patient(base()))
	out := reader.Record(ctx, "missing", value("v"), ifAbsent)
	wantOutcome(t, out, cacheaside.RecordNotApplied, cacheaside.RecordStoreRefused)
	wantFaultOf(t, out.Err, redisadapter.FaultPermission)
	out = reader.Record(ctx, "stale", value("v"), r.condition)
	wantOutcome(t, out, cacheaside.RecordNotApplied, cacheaside.RecordStoreRefused)
	wantFaultOf(t, out.Err, redisadapter.FaultPermission)
	wantKind(t, reader.Lookup(ctx, "missing"), cacheaside.LookupMiss)
}

func TestTheDocumentedPermissionsAreEnoughAndEachIsNeeded(t *testing.T) {
	commands := []string{"+getrange", "+set", "+eval", "+evalsha", "+pexpire", "+rename", "+renamenx", "+unlink", "+hmget", "+hello", "+auth"}
	server := redistest.Start(t, redistest.Options{Users: []string{"app on >password ~test:* " + strings.Join(commands, " ")}})
	admin := server.Client()
	ctx := context.Background()
	options := server.ClientOptions()
	options.Username, options.Password = "app", "password"
	use := func(client *redis.Client) error {
		admin.FlushAll(ctx)
		admin.ScriptFlush(ctx)
		mock := mockNow()
		cfg := patient(base())
		cfg.Clock = mock
		c := open(t, client, cfg)
		var errs []error
		keep := func(out cacheaside.RecordOutcome) {
			if out.Certainty != cacheaside.RecordApplied {
				errs = append(errs, out.Err)
			}
		}
		large := strings.Repeat("x", 100<<10)
		keep(c.Record(ctx, "k", value("v"), ifAbsent))
		mock.Add(10 * time.Second)
		first := c.Lookup(ctx, "k").Observation
		keep(c.Record(ctx, "k", value(large), ifObserved(first)))
		keep(c.Record(ctx, "k", value(large), ifObserved(first))) // refused, and the staged value unlinked
		if n := len(admin.Keys(ctx, "*").Val()); n != 1 {
			errs = append(errs, errors.New(strconv.Itoa(n)+" keys"))
		}
		keep(c.Invalidate(ctx, "k"))
		tombstone := c.Lookup(ctx, "k").Observation
		keep(c.Record(ctx, "k", value("v"), ifObserved(tombstone)))
		admin.FlushAll(ctx)
		keep(c.Record(ctx, "k", value(large), ifObserved(tombstone)))
		return errors.Join(errs...)
	}
	if err := use(newClient(t, options)); err != nil {
		t.Fatalf("with all of them: %v", err)
	}
	for _, command := range commands[:len(commands)-2] {
		admin.Do(ctx, "ACL", "SETUSER", "app", "-"+command[1:])
		if err := use(newClient(t, options)); err == nil {
			t.Errorf("without %s everything works", command)
		}
		admin.Do(ctx, "ACL", "SETUSER", "app", command)
	}
}

func TestC98_AServerThatIsLoadingIsUnavailableAndNoMiss(t *testing.T) {
	server := miniredis.RunT(t)
	client := newClient(t, redistest.ClientOptions(server.Addr()))
	ctx := context.Background()
	for text, fault := range map[string]redisadapter.Fault{
		"LOADING Redis is loading the dataset in memory": redisadapter.FaultLoading,
		"MASTERDOWN Link with MASTER is down":            redisadapter.FaultMasterDown,
		"CLUSTERDOWN The cluster is down":                redisadapter.FaultClusterDown,
		"BUSY Redis is busy running a script":            redisadapter.FaultBusy,
		"NOAUTH Authentication required.":                redisadapter.FaultAuth,
		"ERR upstream failure":                           redisadapter.FaultUnknown,
	} {
		server.FlushAll()
		r := newRefusing(t, client)
		server.SetError(text)
		got := wantKind(t, r.cache.Lookup(ctx, "fresh"), cacheaside.LookupUnavailable)
		wantFaultOf(t, got.Err, fault)
		for name, write := range r.writes() {
			out := write()
			switch {
			case errors.Is(out.Err, redisadapter.ErrBreakerOpen):
			case fault == redisadapter.FaultUnknown && name != "swap":
				wantOutcome(t, out, cacheaside.RecordIndeterminate, 0)
			default:
				if out.Certainty != cacheaside.RecordNotApplied {
					t.Errorf("%s: %v %v (%v)", name, out.Certainty, out.Reason, out.Err)
				}
			}
		}
		server.SetError("")
	}
}
