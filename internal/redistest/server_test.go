package redistest_test

import (
	"context"
	"errors"
	"net"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/internal/redistest"
)

func TestAStartedServerAnswersAtItsAddressAndItsURL(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Options{})
	if got, err := server.Client().Ping(t.Context()).Result(); err != nil || got != "PONG" {
		t.Fatalf("PING = %q, %v", got, err)
	}
	opts, err := redis.ParseURL(server.URL())
	if err != nil {
		t.Fatal(err)
	}
	if opts.Addr != server.Addr() {
		t.Errorf("URL names %s, want %s", opts.Addr, server.Addr())
	}
}

func TestAServerKeepsNothingOnDiskUnlessAsked(t *testing.T) {
	t.Parallel()
	for name, keep := range map[string]bool{"default": false, "append only": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := redistest.Start(t, redistest.Options{AppendOnly: keep})
			if err := server.Client().Set(t.Context(), "k", "v", 0).Err(); err != nil {
				t.Fatal(err)
			}
			addr := server.Addr()
			server.Kill()
			server.Restart()
			if server.Addr() != addr {
				t.Errorf("moved from %s to %s", addr, server.Addr())
			}
			n, err := server.Client().Exists(t.Context(), "k").Result()
			if err != nil || (n == 1) != keep {
				t.Errorf("EXISTS after kill and restart = %d, %v", n, err)
			}
		})
	}
}

func TestAKilledServerRefusesConnectionsUntilItsRestart(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Options{})
	client := server.Client()
	exited, pid := server.Process().Exited(), server.Process().PID()
	server.Kill()
	<-exited
	server.Kill() // killing the dead is no failure
	if err := client.Ping(t.Context()).Err(); !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("PING to a killed server: %v, want connection refused", err)
	}
	server.Restart()
	if err := client.Ping(t.Context()).Err(); err != nil {
		t.Errorf("PING after the restart: %v", err)
	}
	if server.Process().PID() == pid {
		t.Error("the restarted server is the killed one")
	}
}

func TestAPausedServerIsSilentAndAnswersOnResume(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Options{})
	opts := server.ClientOptions()
	opts.ReadTimeout = 50 * time.Millisecond
	impatient := redis.NewClient(opts)
	t.Cleanup(func() { _ = impatient.Close() })
	if err := impatient.Ping(t.Context()).Err(); err != nil {
		t.Fatal(err)
	}
	server.Pause()
	if err := impatient.Set(t.Context(), "k", "late", 0).Err(); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("SET to a paused server: %v, want a timeout", err)
	}
	server.Resume()
	if got, err := server.Client().Get(t.Context(), "k").Result(); err != nil || got != "late" {
		t.Errorf("GET after Resume = %q, %v; the abandoned SET was in the server's queue", got, err)
	}
}

func TestAPausedServerCanBeRestarted(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Options{})
	server.Pause()
	server.Restart()
	if err := server.Client().Ping(t.Context()).Err(); err != nil {
		t.Error(err)
	}
}

func TestPasswordUsersAndMemoryLimitReachTheServer(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Options{
		Password: "p\"a ss\\word\n",
		Users:    []string{"reader on >secret ~app:* +get +ping"},
		Config:   []string{"maxclients 50", "hz 20"},
		Args:     []string{"--hz", "30"},

		MaxMemory:       "4mb",
		MaxMemoryPolicy: "volatile-lru",
	})
	client := server.Client()
	for name, want := range map[string]string{
		"maxmemory": "4194304", "maxmemory-policy": "volatile-lru", "maxclients": "50", "hz": "30",
		"save": "", "appendonly": "no", "enable-debug-command": "yes",
	} {
		if got, err := client.ConfigGet(t.Context(), name).Result(); err != nil || got[name] != want {
			t.Errorf("CONFIG GET %s = %q, %v; want %q", name, got[name], err, want)
		}
	}
	parsed, err := redis.ParseURL(server.URL())
	if err != nil || parsed.Password != server.ClientOptions().Password {
		t.Errorf("the URL does not carry the password: %v", err)
	}
	stranger := redis.NewClient(redistest.ClientOptions(server.Addr()))
	t.Cleanup(func() { _ = stranger.Close() })
	if err := stranger.Ping(t.Context()).Err(); !redis.IsAuthError(err) {
		t.Errorf("PING without the password: %v", err)
	}
	opts := redistest.ClientOptions(server.Addr())
	opts.Username, opts.Password = "reader", "secret"
	reader := redis.NewClient(opts)
	t.Cleanup(func() { _ = reader.Close() })
	if err := reader.Get(t.Context(), "app:1").Err(); !errors.Is(err, redis.Nil) {
		t.Errorf("GET inside the user's keys: %v", err)
	}
	if err := reader.Get(t.Context(), "other").Err(); !redis.IsPermissionError(err) {
		t.Errorf("GET outside the user's keys: %v", err)
	}
}

func TestServersStartedTogetherDoNotShareAPort(t *testing.T) {
	t.Parallel()
	redistest.Require(t)
	const servers = 8
	var group sync.WaitGroup
	addrs := make(chan string, servers)
	for range servers {
		group.Go(func() {
			process, err := redistest.StartProcess(t.Context(), redistest.Options{})
			if err != nil {
				t.Error(err)
				return
			}
			t.Cleanup(func() { _ = process.Stop() })
			addrs <- process.Addr()
		})
	}
	group.Wait()
	close(addrs)
	seen := map[string]bool{}
	for addr := range addrs {
		if seen[addr] {
			t.Errorf("two servers at %s", addr)
		}
		seen[addr] = true
	}
}

func TestTheAddressOfAKilledServerIsGivenToNobodyElse(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Options{})
	server.Kill()
	// Dialling from the very port is how the kernel would hand it out.
	local, err := net.ResolveTCPAddr("tcp", server.Addr())
	if err != nil {
		t.Fatal(err)
	}
	other := redistest.Start(t, redistest.Options{})
	dialer := net.Dialer{LocalAddr: local}
	if conn, err := dialer.DialContext(t.Context(), "tcp", other.Addr()); err == nil {
		conn.Close()
		t.Errorf("the port of a killed server could be taken")
	}
}

func TestAServerThatCannotStartSaysWhyWithoutItsPassword(t *testing.T) {
	t.Parallel()
	redistest.Require(t)
	const password = "not-for-the-log"
	process, err := redistest.StartProcess(t.Context(), redistest.Options{
		Password: password,
		Config:   []string{"no-such-directive " + password},
	})
	if err == nil {
		t.Fatal(process.Stop(), "started with a wrong directive")
	}
	if !strings.Contains(err.Error(), "no-such-directive") || strings.Contains(err.Error(), password) {
		t.Errorf("error: %v", err)
	}
}

func TestAPortThatIsTakenIsGivenUpAfterSomeAttempts(t *testing.T) {
	t.Parallel()
	redistest.Require(t)
	_, port, err := net.SplitHostPort(listen(t).Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	process, err := redistest.StartProcess(t.Context(), redistest.Options{Config: []string{"port " + port}})
	if err == nil {
		t.Fatal(process.Stop(), "two servers at one port")
	}
	if !strings.Contains(err.Error(), "port taken") {
		t.Errorf("error: %v", err)
	}
}

func TestStartProcessEndsWithItsContext(t *testing.T) {
	t.Parallel()
	redistest.Require(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := redistest.StartProcess(ctx, redistest.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("StartProcess with an ended context: %v", err)
	}
}

func TestAServerRestartsWithWhatItWasReconfiguredTo(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Options{})
	client := server.Client()
	if err := client.ConfigSet(t.Context(), "maxmemory", "5mb").Err(); err != nil {
		t.Fatal(err)
	}
	if err := client.ConfigRewrite(t.Context()).Err(); err != nil {
		t.Fatal(err)
	}
	server.Restart()
	if got, err := client.ConfigGet(t.Context(), "maxmemory").Result(); err != nil || got["maxmemory"] != "5242880" {
		t.Errorf("after CONFIG REWRITE and a restart: %v, %v", got, err)
	}
}

func TestStopRemovesTheDirectoryAndMayBeRepeated(t *testing.T) {
	t.Parallel()
	redistest.Require(t)
	process, err := redistest.StartProcess(t.Context(), redistest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := process.Stop(); err != nil {
			t.Fatal(err)
		}
	}
	<-process.Exited()
	if _, err := os.Stat(process.Dir()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("directory after Stop: %v", err)
	}
}
