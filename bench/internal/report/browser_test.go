package report_test

import (
	"context"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cacheaside/resilience/bench/internal/report/sample"
)

// TestABrowserShowsThePageWithoutTheNetwork loads the page from disk. All that the browser would ask a network for it asks a proxy for, which
// answers nothing and counts what concerns the page: the browser's own calls home are turned off, and not what is tested here.
func TestABrowserShowsThePageWithoutTheNetwork(t *testing.T) {
	t.Parallel()
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("chromium is not on PATH: the page was not loaded into a browser")
	}
	dir, _ := written(t, sample.Document())
	dom, log := load(t, chromium, filepath.Join(dir, "report.html"))
	page := parse(t, dom)
	page.sound(t)
	if page.elements["svg"] != 9 || page.elements["figure"] != 9 {
		t.Errorf("the browser has %d drawings in %d figures, want 9", page.elements["svg"], page.elements["figure"])
	}
	if got := strings.Join(page.headings, "|"); !strings.Contains(got, "S4 · The source slows down tenfold") || !strings.Contains(got, "Failed checks") {
		t.Errorf("the browser has the headings %s", got)
	}
	for line := range strings.Lines(log) {
		if strings.Contains(line, "CONSOLE") || strings.Contains(line, "Refused to") || strings.Contains(line, "ERR_") {
			t.Errorf("the browser complains: %s", line)
		}
	}
}

// load gives the page as the browser understood it, and what the browser has to say of it.
func load(t *testing.T, chromium, page string) (dom, log string) {
	t.Helper()
	proxy, asked := deadEnd(t)
	// Not t.TempDir: the browser's last process may still write while the folder is removed, which is no failure of the page.
	profile, err := os.MkdirTemp("", "report-browser-*")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(profile) })
	// A browser that cannot start here, without a display or a sandbox, must not hang the tests.
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var out, complaints strings.Builder
	command := exec.CommandContext(ctx, chromium, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--enable-logging=stderr", "--user-data-dir="+profile, "--proxy-server="+proxy, "--dump-dom",
		"file://"+page)
	command.Env = append(os.Environ(), "HOME="+profile)
	command.Stdout, command.Stderr, command.WaitDelay = &out, &complaints, 5*time.Second
	if err := command.Run(); err != nil {
		t.Fatalf("chromium: %v\n%s", err, complaints.String())
	}
	if n := asked.Load(); n > 0 {
		t.Errorf("the browser asked the network %d times", n)
	}
	return out.String(), complaints.String()
}

// deadEnd serves a proxy that refuses everything, until the test ends, and counts what it is asked for.
func deadEnd(t *testing.T) (address string, asked *atomic.Int64) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	asked = new(atomic.Int64)
	server := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if host := r.URL.Hostname() + r.Host; !strings.Contains(host, "google") { // the browser's own
			asked.Add(1)
			t.Logf("asked for %s %s", r.Method, r.Host)
		}
		http.Error(w, "there is no network", http.StatusBadGateway)
	})}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = server.Serve(listener)
	}()
	t.Cleanup(func() {
		_ = server.Close()
		<-done
	})
	return listener.Addr().String(), asked
}
