package redistest_test

import (
	"errors"
	"os"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cacheaside/resilience/internal/redistest"
)

func stubClient(t *testing.T, stub *redistest.Stub) *redis.Client {
	t.Helper()
	opts := redistest.ClientOptions(stub.Addr())
	opts.ReadTimeout = 100 * time.Millisecond
	client := redis.NewClient(opts)
	t.Cleanup(func() { _ = client.Close() })
	return client
}

func TestAStubAnswersAsScripted(t *testing.T) {
	t.Parallel()
	stub := redistest.StartStub(t, func(args [][]byte) []byte {
		switch string(args[0]) {
		case "GET":
			return redistest.Bulk(string(args[1]))
		case "EXISTS":
			return redistest.Integer(7)
		case "MGET":
			return redistest.Array(redistest.Bulk("a"), redistest.Null())
		case "PING":
			return redistest.Status("PONG")
		case "TIME":
			return []byte("?!\r\n")
		case "SAVE":
			return []byte{}
		case "QUIT":
			return nil
		}
		return redistest.Error("LOADING the data set is in memory soon")
	})
	client := stubClient(t, stub)
	if got, err := client.Get(t.Context(), "k\r\n").Result(); err != nil || got != "k\r\n" {
		t.Errorf("GET = %q, %v", got, err)
	}
	if got, err := client.Exists(t.Context(), "k").Result(); err != nil || got != 7 {
		t.Errorf("EXISTS = %d, %v", got, err)
	}
	if got, err := client.MGet(t.Context(), "a", "b").Result(); err != nil || len(got) != 2 || got[0] != "a" || got[1] != nil {
		t.Errorf("MGET = %v, %v", got, err)
	}
	if got, err := client.Ping(t.Context()).Result(); err != nil || got != "PONG" {
		t.Errorf("PING = %q, %v", got, err)
	}
	if err := client.Set(t.Context(), "k", "v", 0).Err(); !redis.IsLoadingError(err) {
		t.Errorf("SET = %v, want LOADING", err)
	}
	if err := client.Time(t.Context()).Err(); err == nil {
		t.Error("garbage was taken for a reply")
	}
	if err := client.Save(t.Context()).Err(); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("silence reads as %v, want a timeout", err)
	}
	closing := dial(t, stub.Addr())
	closing.write("quit\r\n")
	if got, err := closing.rest(); err != nil || got != "" {
		t.Errorf("a closed connection reads %q, %v", got, err)
	}
	if n := stub.Count("SET"); n != 1 || stub.Counts()["GET"] != 1 {
		t.Errorf("counted %v", stub.Counts())
	}
}

func TestAStubRefusesHelloUnlessItsHandlerAnswersIt(t *testing.T) {
	t.Parallel()
	var helped bool
	refusing := redistest.StartStub(t, func(args [][]byte) []byte {
		helped = helped || string(args[0]) == "HELLO"
		return redistest.Status("PONG")
	})
	if err := stubClient(t, refusing).Ping(t.Context()).Err(); err != nil {
		t.Error(err)
	}
	if helped || refusing.Count("HELLO") != 1 {
		t.Errorf("HELLO reached the handler: %v; counted %d", helped, refusing.Count("HELLO"))
	}
	bare := redistest.StartBareStub(t, func(args [][]byte) []byte {
		if string(args[0]) == "HELLO" {
			return []byte("%1\r\n+proto\r\n:3\r\n")
		}
		return []byte("_\r\n")
	})
	if err := stubClient(t, bare).Get(t.Context(), "k").Err(); err != redis.Nil {
		t.Errorf("GET in protocol 3: %v", err)
	}
	if hellos, gets := bare.Count("HELLO"), bare.Count("GET"); hellos != 1 || gets != 1 {
		t.Errorf("counted %d HELLO and %d GET", hellos, gets)
	}
}

func TestAStubAnnouncesCommandsItLeavesUnanswered(t *testing.T) {
	t.Parallel()
	stub := redistest.StartStub(t, func([][]byte) []byte { return []byte{} })
	conn := dial(t, stub.Addr())
	conn.send("GET", "k")
	conn.write("\r\nget k\r\n")
	stub.WaitForCommand("GET", 2)
	assertSilent(t, conn)
}
