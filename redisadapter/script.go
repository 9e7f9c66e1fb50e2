package redisadapter

import (
	"crypto/sha1" //nolint:gosec // the name that EVALSHA knows a script by
	_ "embed"
	"encoding/hex"
	"errors"
	"strings"

	"github.com/redis/go-redis/v9"
)

//go:embed replace.lua
var replaceSource string

//go:embed staged.lua
var stagedSource string

//go:embed tombstone.lua
var tombstoneSource string

//go:embed acquire.lua
var acquireSource string

//go:embed fill.lua
var fillSource string

//go:embed swap.lua
var swapSource string

//go:embed release.lua
var releaseSource string

//go:embed supersede.lua
var supersedeSource string

//go:embed bury.lua
var burySource string

//go:embed revision.lua
var revisionSource string

//go:embed put.lua
var putSource string

//go:embed generation.lua
var generationSource string

// script is a Lua program and the name the server knows it by once it has seen it.
type script struct{ source, sha string }

func newScript(source string) script {
	sum := sha1.Sum([]byte(source)) //nolint:gosec // see above
	return script{source: source, sha: hex.EncodeToString(sum[:])}
}

var (
	replaceScript   = newScript(replaceSource)
	stagedScript    = newScript(stagedSource)
	tombstoneScript = newScript(revisionSource + tombstoneSource)
	acquireScript   = newScript(acquireSource)
	fillScript      = newScript(revisionSource + fillSource)
	swapScript      = newScript(revisionSource + swapSource)
	releaseScript   = newScript(releaseSource)
	supersedeScript = newScript(supersedeSource)
	buryScript      = newScript(burySource)
	putScript       = newScript(revisionSource + putSource)

	generationScript = newScript(generationSource)
)

// What the scripts return.
const (
	codeOther       = 0
	codeApplied     = 1
	codeAbsent      = 2
	codeForeign     = 3
	codeNoDigest    = 4
	codeStagingLost = 5
	codeSuperseded  = 6
	codeOlder       = 7
)

// firstScriptKey is where EVAL and EVALSHA have it.
const firstScriptKey = 3

// runScript executes a script at most once. A server that does not have it says so before anything happens, and is sent its text; the shipment, which
// is among args, then counts as never sent before the second try, so that its count tells about that one alone.
func (s *store) runScript(c *call, run script, keys []string, goods *shipment, args ...any) (int64, error) {
	code, err := s.invoke(c, "evalsha", run.sha, keys, args)
	if isNoScript(err) {
		goods.sent.Store(0)
		code, err = s.invoke(c, "eval", run.source, keys, args)
	}
	return code, err
}

func (s *store) invoke(c *call, command, program string, keys []string, args []any) (int64, error) {
	cmd := newScriptCall(c.ctx, scriptArgs(command, program, keys, args)...)
	err := s.port.writes.Process(c.ctx, cmd)
	return cmd.Val(), err
}

// ask is runScript for a script that answers with a text.
func (s *store) ask(c *call, run script, keys []string, question *slip, args ...any) (string, error) {
	cmd := newScriptText(c.ctx, scriptArgs("evalsha", run.sha, keys, args)...)
	err := s.port.writes.Process(c.ctx, cmd)
	if isNoScript(err) {
		question.sent.Store(0)
		cmd = newScriptText(c.ctx, scriptArgs("eval", run.source, keys, args)...)
		err = s.port.writes.Process(c.ctx, cmd)
	}
	return cmd.Val(), err
}

// askInFull asks a server again that has just refused for want of memory, and so has certainly not executed anything.
func (s *store) askInFull(c *call, run script, keys []string, question *slip, refusal error, args ...any) (string, error) {
	question.sent.Store(0)
	cmd := newScriptText(c.ctx, scriptArgs("eval", allowOutOfMemory+run.source, keys, args)...)
	err := s.port.writes.Process(c.ctx, cmd)
	if question.sent.Load() == 0 || isCompileError(err) {
		question.sent.Store(1)
		return "", refusal
	}
	return cmd.Val(), err
}

func scriptArgs(command, program string, keys []string, args []any) []any {
	all := make([]any, 0, firstScriptKey+len(keys)+len(args))
	all = append(all, command, program, len(keys))
	for _, key := range keys {
		all = append(all, key)
	}
	return append(all, args...)
}

func isNoScript(err error) bool { return replyFaultOf(err) == FaultNoScript }

// replyFaultOf is the fault that an error reply tells, 0 for every other error.
func replyFaultOf(err error) Fault {
	var reply redis.Error
	if !errors.As(err, &reply) {
		return 0
	}
	return replyFault(reply.Error())
}

func isCompileError(err error) bool {
	var reply redis.Error
	return errors.As(err, &reply) && strings.Contains(reply.Error(), "compiling script")
}
