package redistest_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/internal/redistest"
)

func TestMonitorShowsEachCommandOnceWithItsArguments(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Options{Password: "secret"})
	client := server.Client()
	monitor := server.Monitor()

	every := make([]byte, 256)
	for i := range every {
		every[i] = byte(i)
	}
	key := string(every) + `"\x41 "]`
	before := time.Now().Add(-time.Minute)
	if err := client.Set(t.Context(), key, "", 0).Err(); err != nil {
		t.Fatal(err)
	}
	if err := client.GetRange(t.Context(), key, 0, 9).Err(); err != nil {
		t.Fatal(err)
	}

	var sets []redistest.Command
	for _, command := range monitor.Commands() {
		if command.Name() == "SET" {
			sets = append(sets, command)
		}
	}
	if len(sets) != 1 || !slices.Equal(sets[0].Args, []string{"set", key, ""}) {
		t.Fatalf("SET recorded as %v", sets)
	}
	if sets[0].DB != 0 || sets[0].Time.Before(before) || !strings.HasPrefix(sets[0].Source, "127.0.0.1:") {
		t.Errorf("recorded with %v, db %d, source %s", sets[0].Time, sets[0].DB, sets[0].Source)
	}
	if n := monitor.Count("GETRANGE"); n != 1 {
		t.Errorf("GETRANGE counted %d times", n)
	}
}

func TestMonitorTellsCommandsOfScriptsFromThoseOfClients(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Options{})
	client := server.Client()
	monitor := server.Monitor()
	script := "redis.call('GET', KEYS[1]); return redis.call('GET', KEYS[1])"
	if err := client.Eval(t.Context(), script, []string{"k"}).Err(); err != redis.Nil {
		t.Fatal(err)
	}
	for name, want := range map[string][2]int{"EVAL": {1, 0}, "GET": {0, 2}} {
		if got := [2]int{monitor.Count(name), monitor.CountInScripts(name)}; got != want {
			t.Errorf("%s: by clients and in scripts %v, want %v", name, got, want)
		}
	}
}

func TestMonitorForgetsOnReset(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Options{})
	client := server.Client()
	monitor, other := server.Monitor(), server.Monitor()
	if err := client.Ping(t.Context()).Err(); err != nil {
		t.Fatal(err)
	}
	monitor.Reset()
	other.Sync()
	for _, command := range monitor.Commands() {
		if command.Name() != "HELLO" { // of the connection that sets the marks
			t.Errorf("after Reset: %q", command.Args)
		}
	}
	if n := other.Count("PING"); n != 1 {
		t.Errorf("the other monitor counts %d PING", n)
	}
}

func TestMonitorWaitsForCommandsOfOthers(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Options{})
	client := server.Client()
	monitor := server.Monitor()
	ended := make(chan error, 1)
	go func() {
		for i := range 3 {
			if err := client.Set(t.Context(), strconv.Itoa(i), i, 0).Err(); err != nil {
				ended <- err
				return
			}
		}
		ended <- nil
	}()
	monitor.WaitForCommand("SET", 3)
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestAMonitorOfADeadServerFailsTheTestAtOnce(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Options{})
	for want, use := range map[string]func(*redistest.Monitor){
		"MONITOR cannot be synchronised": func(m *redistest.Monitor) { m.Commands() },
		"MONITOR did not show 1 SET":     func(m *redistest.Monitor) { m.WaitForCommand("SET", 1) },
	} {
		got := on(t, func(v testing.TB) {
			monitor := redistest.Attach(v, server.Process()).Monitor()
			server.Kill()
			use(monitor)
		})
		if !strings.Contains(got.failed, want) {
			t.Errorf("failed with %q, want %q", got.failed, want)
		}
		server.Restart()
	}
}

func TestALineThatIsNotOfMonitorIsRefused(t *testing.T) {
	t.Parallel()
	const head = "1339518083.107412 [0 127.0.0.1:60866] "
	if _, err := redistest.ParseMonitor(head + `"a" "b"`); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"", "OK", head, `1339518083 [0 lua] "a"`, `x.1 [0 lua] "a"`, `1.x [0 lua] "a"`, `1.1 [x lua] "a"`, `1.1 [0] "a"`,
		head + `a`, head + `"a`, head + `"a"b`, head + `"a""b"`, head + `"a" `, head + `"\`, head + `"\q"`, head + `"\x4`, head + `"\xzz"`,
	} {
		if command, err := redistest.ParseMonitor(line); err == nil {
			t.Errorf("%q read as %q", line, command.Args)
		}
	}
}
