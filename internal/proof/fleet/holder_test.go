package fleet_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/internal/redistest"
	"github.com/cacheaside/resilience/redisadapter"
)

// holderOf is the variable that turns the test's program into a holder, and tells it the server.
const holderOf = "FLEET_TEST_HOLDER_OF"

const (
	heldKey    = "held"
	holderTime = 700 * time.Millisecond // the life of the holder's grant
)

// hold is the whole life of the other process: it takes the grant of a key, says so, loads until it is told the value, fills, and says what came of it.
func hold(addr string) error {
	client := redis.NewClient(redistest.ClientOptions(addr))
	defer client.Close()
	cache, err := redisadapter.New(client, redisConfig(true))
	if err != nil {
		return err
	}
	defer cache.Close()
	ctx, request := context.Background(), cacheaside.RequestID{byte(os.Getpid()), byte(os.Getpid() >> 8), 1}
	grant := cache.Acquire(ctx, heldKey, request, cache.Lookup(ctx, heldKey).Observation, holderTime)
	fmt.Println(grant.Kind)
	value, err := bufio.NewReader(os.Stdin).ReadString('\n')
	if err != nil {
		return err
	}
	outcome := cache.Fill(ctx, heldKey, grant.Fence, cacheaside.Entry[string]{Value: strings.TrimSpace(value)}, cacheaside.Condition{})
	fmt.Println(outcome.Certainty, outcome.Reason)
	return nil
}

// holder is the other process.
type holder struct {
	t    *testing.T
	cmd  *exec.Cmd
	said *bufio.Reader
	tell io.WriteCloser
}

func startHolder(t *testing.T, server *redistest.Server) *holder {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^$") //nolint:gosec // this very program
	cmd.Env = append(os.Environ(), holderOf+"="+server.Addr())
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	h := &holder{t: t, cmd: cmd, said: bufio.NewReader(out), tell: in}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // a killed process is an error
	})
	if said := h.line(); said != "Granted" {
		t.Fatalf("the other process is %q, want Granted", said)
	}
	return h
}

func (h *holder) line() string {
	h.t.Helper()
	line, err := h.said.ReadString('\n')
	if err != nil {
		h.t.Fatal(err)
	}
	return strings.TrimSpace(line)
}

func (h *holder) fill(value string) (outcome string) {
	h.t.Helper()
	if _, err := io.WriteString(h.tell, value+"\n"); err != nil {
		h.t.Fatal(err)
	}
	return h.line()
}

// besideHolder is a region in this process, whose cold callers see the holder's grant out.
func besideHolder(t *testing.T, server *redistest.Server) *cacheaside.Region[string, string] {
	policy := fleetPolicy()
	policy.ServeStale.OnHeld = true
	policy.ServeStale.RefreshWait = 0
	cfg := redisConfig(true)
	cfg.TTL.Soft = time.Millisecond
	return onCaches(t, policy, openCache(t, server, cfg)).regions[0]
}

func of(value string) cacheaside.Loader[string, string] {
	return func(context.Context, string) cacheaside.SourceOutcome[string] { return cacheaside.Loaded(value, "") }
}

func TestC126_AKilledHolderHoldsAKeyBackForItsGrantAtMost(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Options{})
	region := besideHolder(t, server)
	h := startHolder(t, server)
	if err := h.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	died := time.Now()
	result, err := cacheaside.Get(context.Background(), region, heldKey, of("v2"))
	took := time.Since(died)
	if err != nil || result.Value != "v2" || result.Record.Certainty != cacheaside.RecordApplied {
		t.Fatalf("got %v %q, recorded as %v, %v", result.Status, result.Value, result.Record, err)
	}
	t.Logf("taken over %v after the holder's death, whose grant was for %v", took.Round(time.Millisecond), holderTime)
	if took > 10*holderTime {
		t.Errorf("it took %v to take over from a holder whose grant was for %v", took, holderTime)
	}
}

func TestAStaleValueAnswersAtOnceBesideAKilledHolder(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Options{})
	region := besideHolder(t, server)
	if _, err := cacheaside.Get(context.Background(), region, heldKey, of("v1")); err != nil {
		t.Fatal(err)
	}
	<-time.After(5 * time.Millisecond) // past the soft expiry
	h := startHolder(t, server)
	if err := h.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	result, err := cacheaside.Get(context.Background(), region, heldKey, of("v2"))
	if err != nil || result.Status != cacheaside.StatusStale || result.Value != "v1" {
		t.Fatalf("got %v %q, %v, want the stale value", result.Status, result.Value, err)
	}
	// The flight goes on behind that answer, and takes over.
	for result.Value != "v2" {
		if result, err = cacheaside.Get(context.Background(), region, heldKey, of("v2")); err != nil {
			t.Fatal(err)
		}
		<-time.After(5 * time.Millisecond)
	}
}

func TestC127_AHolderThatSleepsPastItsGrantHasItsFillRefused(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Options{})
	region := besideHolder(t, server)
	h := startHolder(t, server)
	suspend(t, h.cmd.Process)
	result, err := cacheaside.Get(context.Background(), region, heldKey, of("v2"))
	if err != nil || result.Record.Certainty != cacheaside.RecordApplied {
		t.Fatalf("taking over: %v %q, recorded as %v, %v", result.Status, result.Value, result.Record, err)
	}
	resume(t, h.cmd.Process)
	if outcome := h.fill("v1"); outcome != "NotApplied Superseded" {
		t.Errorf("the fill of a holder that slept is %s, want NotApplied Superseded", outcome)
	}
	found := openCache(t, server, redisConfig(true)).Lookup(context.Background(), heldKey)
	if found.Value != "v2" {
		t.Errorf("after it the value is %q, want v2", found.Value)
	}
}

func TestAHolderThatSleepsPastItsGrantStillFillsWhereNobodyTookOver(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Options{})
	h := startHolder(t, server)
	suspend(t, h.cmd.Process)
	ageFence(context.Background(), server.Client(), nameOf(t, redisConfig(true), heldKey, fenceRecord), holderTime)
	resume(t, h.cmd.Process)
	if outcome := h.fill("v1"); !strings.HasPrefix(outcome, "Applied") {
		t.Errorf("the fill of a holder whom nobody replaced is %s, want Applied", outcome)
	}
}

// suspend stops the process by way of the kill program, since the signal has no name on every platform Go compiles for. It is blocked on its input, so
// that it does nothing more in the moment until the signal takes.
func suspend(t *testing.T, process *os.Process) { signal(t, "STOP", process) }

func resume(t *testing.T, process *os.Process) { signal(t, "CONT", process) }

func signal(t *testing.T, name string, process *os.Process) {
	t.Helper()
	if out, err := exec.Command("kill", "-"+name, strconv.Itoa(process.Pid)).CombinedOutput(); err != nil { //nolint:gosec // a child of this test
		t.Fatalf("%v: %s", err, out)
	}
}
