package redisadapter

import (
	"context"
	_ "embed"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/redis/go-redis/v9"
)

//go:embed identity.lua
var identitySource string

//go:embed preflight.lua
var preflightSource string

var preflightScript = newScript(identitySource + preflightSource)

// skewSamples is how often a server is asked for the time; the quickest answer tells most.
const skewSamples = 3

// refusal is why a server did not answer a question.
type refusal struct {
	text        string // "" = it did
	unreachable bool   // it was not reached or cannot serve now, and did not answer that it will not
	cause       error
}

func (r refusal) happened() bool { return r.text != "" }

// refusalOf tells an answer that says no from no answer at all.
func refusalOf(err error) refusal {
	if err == nil {
		return refusal{}
	}
	var reply redis.Error
	if errors.As(err, &reply) {
		r := refusalOfReply(reply.Error())
		r.cause = err
		return r
	}
	return refusal{text: faultTable[faultOf(err)].text, unreachable: true, cause: err}
}

// refusalOfReply reads an error reply. A text that is not known is a no: proxies and services have their own.
func refusalOfReply(text string) refusal {
	fault := replyFault(text)
	switch fault {
	case FaultLoading, FaultMasterDown, FaultClusterDown, FaultMaxClients, FaultBusy, FaultAuth:
		return refusal{text: faultTable[fault].text, unreachable: true}
	}
	return refusal{text: faultTable[fault].text}
}

// inquiry asks one server.
type inquiry struct {
	ctx    context.Context //nolint:containedctx // of one check
	client processor
	clock  clock.Clock
}

// info asks for everything at once, which needs no right to see the configuration.
func (q inquiry) info() (infoFields, refusal) {
	cmd := onceText{redis.NewStringCmd(q.ctx, "info")}
	if refused := refusalOf(q.client.Process(q.ctx, cmd)); refused.happened() {
		return nil, refused
	}
	return readInfo(cmd.Val()), refusal{}
}

// config asks for one setting. Servers and libraries differ in the shape of the answer, so it is read from the bytes, no more than a setting has.
func (q inquiry) config(name string) answer {
	raw := bounded4K{}
	err := q.client.Process(q.ctx, redis.NewRawWriteToCmd(q.ctx, &raw, "config", "get", name))
	if refused := refusalOf(err); refused.happened() {
		return refusedAnswer("CONFIG", refused)
	}
	text := string(raw.got)
	if rest, isError := strings.CutPrefix(text, "-"); isError {
		return refusedAnswer("CONFIG", refusalOfReply(rest))
	}
	found := parseFlatReply(text)
	for i := 0; i+1 < len(found); i += 2 {
		if strings.EqualFold(found[i], name) {
			return plain(strings.ToLower(found[i+1]))
		}
	}
	return answer{reason: "missing in what CONFIG answers"}
}

var errLongReply = errors.New("redisadapter: reply is longer than a setting can be")

// bounded4K takes no more than 4 KiB.
type bounded4K struct{ got []byte }

// Write implements io.Writer.
func (b *bounded4K) Write(p []byte) (int, error) {
	if len(b.got)+len(p) > 4<<10 {
		return 0, errLongReply
	}
	b.got = append(b.got, p...)
	return len(p), nil
}

// probed is what a script found.
type probed struct {
	command  string // that was refused: "EVALSHA", "EVAL" or "TIME"; "" if none was
	refused  refusal
	identity Identity // "" if the script could not tell

	skew, within time.Duration // of the server's clock before the own one; within 0 = not known
}

// ran tells whether the script came to its end.
func (p probed) ran() bool { return !p.refused.happened() || p.command == "TIME" }

// probe runs a script as the stores of this package do: by its digest, and as text if the server does not know it yet.
func (q inquiry) probe() probed {
	var p probed
	for range skewSamples {
		begun := q.clock.Now()
		text, command, err := q.runProbe()
		took := q.clock.Now().Sub(begun)
		if refused := refusalOf(err); refused.happened() {
			return probed{command: command, refused: refused}
		}
		words := strings.Fields(text)
		if len(words) != 3 {
			return probed{command: command, refused: refusal{text: "an answer of another form"}}
		}
		if p.identity = Identity(words[2]); !p.identity.valid() {
			p.identity = ""
		}
		at, ok := parseServerTime(words[0], words[1])
		if !ok {
			p.command, p.refused = "TIME", refusal{text: "inside a script"}
			return p
		}
		if half := max(took/2, time.Microsecond); p.within == 0 || half < p.within {
			p.skew, p.within = at.Sub(begun.Add(took/2)), half
		}
	}
	return p
}

func (q inquiry) runProbe() (text, command string, err error) {
	cmd := onceText{redis.NewStringCmd(q.ctx, "evalsha", preflightScript.sha, 0)}
	if err = q.client.Process(q.ctx, cmd); !isNoScript(err) {
		return cmd.Val(), "EVALSHA", err
	}
	cmd = onceText{redis.NewStringCmd(q.ctx, "eval", preflightScript.source, 0)}
	err = q.client.Process(q.ctx, cmd)
	return cmd.Val(), "EVAL", err
}

func parseServerTime(seconds, micros string) (time.Time, bool) {
	s, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return time.Time{}, false
	}
	us, err := strconv.ParseInt(micros, 10, 32)
	return time.Unix(s, us*int64(time.Microsecond)), err == nil
}
