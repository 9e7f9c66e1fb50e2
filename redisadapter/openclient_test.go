package redisadapter_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/internal/redistest"
	"github.com/cacheaside/resilience/redisadapter"
)

func TestOpenClientMakesClientsThatNeedNoWarning(t *testing.T) {
	for rawURL, want := range map[string]string{
		"redis://user:pass@127.0.0.1:1/2":                                "*redis.Client",
		"rediss://127.0.0.1:1":                                           "*redis.Client",
		"unix:///nowhere/redis.sock?db=1":                                "*redis.Client",
		"redis://127.0.0.1:1?addr=127.0.0.1:2&addr=127.0.0.1:3":          "*redis.ClusterClient",
		"redis://127.0.0.1:1?master_name=primary&addr=127.0.0.1:2":       "*redis.Client",
		"redis://127.0.0.1:1?pool_size=7&read_timeout=2s&max_retries=-1": "*redis.Client",
	} {
		client, err := redisadapter.OpenClient(rawURL)
		if err != nil {
			t.Errorf("%s: %v", rawURL, err)
			continue
		}
		if got := fmt.Sprintf("%T", closing(t, client)); got != want {
			t.Errorf("%s makes a %s", rawURL, got)
		}
		cfg := base()
		cfg.Warn = func(w redisadapter.Warning) { t.Errorf("%s: %v", rawURL, w) }
		open(t, client, cfg)
	}
}

func TestOptionsInTheURLWin(t *testing.T) {
	client, err := redisadapter.OpenClient("redis://127.0.0.1:1?pool_size=7&read_timeout=2s&dial_timeout=3s&max_retries=2&conn_max_idle_time=9s")
	if err != nil {
		t.Fatal(err)
	}
	o := closing(t, client).(*redis.Client).Options()
	if o.PoolSize != 7 || o.ReadTimeout != 2*time.Second || o.DialTimeout != 3*time.Second || o.MaxRetries != 2 || o.ConnMaxIdleTime != 9*time.Second {
		t.Errorf("options %+v", o)
	}
	if !o.ContextTimeoutEnabled || o.DialerRetries != 1 || o.PoolTimeout != 250*time.Millisecond || o.WriteTimeout != time.Second {
		t.Errorf("options %+v", o)
	}
}

func TestC121_NoErrorPrintsAPasswordWhereverItIsInTheURL(t *testing.T) {
	for _, rawURL := range []string{
		"redis://user:S3CRET@host:bad port/0",
		"redis://u:S3CR%ET@h/0",
		"redis://u:S3CRET@h:port/0",
		"S3CRET://h",
		"u:S3CRET@h:6379",
		"redis://u:S3CRET@h/S3CRET",
		"redis://u:S3CRET@h/0/S3CRET",
		"redis://u:S3CRET@h/0?S3CRET=1",
		"redis://u:S3CRET@h/0?pool_size=S3CRET",
		"redis://u:S3CRET@h/0?addr=h2:1&pool_size=S3CRET",
		"redis://u:S3CRET@h/0?master_name=m&S3CRET=1",
		"http://u:S3CRET@h/0",
		"redis://[S3CRET",
		"\x00S3CRET",
		"",
	} {
		client, err := redisadapter.OpenClient(rawURL)
		if err == nil {
			closing(t, client)
			t.Errorf("%q was accepted", rawURL)
			continue
		}
		for ; err != nil; err = errors.Unwrap(err) {
			var fault *cacheaside.FieldError
			if strings.Contains(err.Error(), "S3CR") || !errors.As(err, &fault) || fault.Field != "url" || fault.Rule == "" {
				t.Errorf("%q: %v", rawURL, err)
			}
		}
	}
}

func TestC121_NeitherWrongPasswordsNorDeadHostsArePrintedOrLogged(t *testing.T) {
	server := redistest.Start(t, redistest.Options{Password: "right"})
	dead := unreachable(t).Options().Addr
	ctx := context.Background()
	for addr, fault := range map[string]redisadapter.Fault{server.Addr(): redisadapter.FaultAuth, dead: redisadapter.FaultDial} {
		client, err := redisadapter.OpenClient("redis://user-S3CRET:pass-S3CRET@" + addr + "/0")
		if err != nil {
			t.Fatal(err)
		}
		cfg := patient(base())
		cfg.Secret = []byte("S3CRET S3CRET S3CRET S3CRET S3CRET")
		c := open(t, closing(t, client), cfg)
		got := wantKind(t, c.Lookup(ctx, "key-S3CRET"), cacheaside.LookupUnavailable)
		wantFaultOf(t, got.Err, fault)
		out := c.Record(ctx, "key-S3CRET", value("value-S3CRET"), ifAbsent)
		wantOutcome(t, out, cacheaside.RecordNotApplied, cacheaside.RecordNeverSent)
		for _, err := range []error{got.Err, out.Err} {
			for text := fmt.Sprintf("%v %+v %#v", err, err, err); strings.Contains(text, "S3CRET"); text = "" {
				t.Errorf("error %s", text)
			}
		}
	}
	if lines := capturedLog().matching("S3CR"); len(lines) != 0 {
		t.Errorf("logged: %q", lines)
	}
}
