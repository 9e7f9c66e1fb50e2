package posture_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cacheaside/resilience/internal/redistest"
	"github.com/cacheaside/resilience/redisadapter"
)

// odd is a server that answers the questions of a preflight as it is told, and otherwise as a sound one.
type odd struct {
	info   []byte
	config func(name string) []byte
	eval   []byte
}

const soundInfo = "# Server\r\nredis_version:7.2.4\r\nredis_mode:standalone\r\nrun_id:abc\r\n" +
	"# Memory\r\nmaxmemory:1000\r\nmaxmemory_policy:noeviction\r\n" +
	"# Persistence\r\naof_enabled:1\r\n# Replication\r\nrole:master\r\nmaster_replid:def\r\nmaster_replid2:000\r\n# Cluster\r\ncluster_enabled:0\r\n"

func (o odd) start(t *testing.T) *redistest.Stub {
	t.Helper()
	return redistest.StartStub(t, func(args [][]byte) []byte {
		switch strings.ToLower(string(args[0])) {
		case "info":
			if o.info != nil {
				return o.info
			}
			return redistest.Bulk(soundInfo)
		case "config":
			name := string(args[2])
			if o.config != nil {
				return o.config(name)
			}
			return pair(name, soundSetting(name))
		case "evalsha":
			return redistest.Error("NOSCRIPT No matching script")
		case "eval":
			if o.eval != nil {
				return o.eval
			}
			return redistest.Bulk("1 2 abc:-")
		}
		return redistest.Error("ERR unknown command")
	})
}

func soundSetting(name string) string {
	if name == "appendfsync" {
		return "always"
	}
	return "no"
}

func pair(name, value string) []byte {
	return redistest.Array(redistest.Bulk(name), redistest.Bulk(value))
}

func changed(pairs ...string) []byte {
	return redistest.Bulk(strings.NewReplacer(pairs...).Replace(soundInfo))
}

func TestC144_AReportOfAnyShapeIsReadForWhatItSays(t *testing.T) {
	t.Parallel()
	const policy, run = "maxmemory_policy:noeviction", "unverifiable run_id, master_replid"
	unseen := []string{"unverifiable redis_mode", "unverifiable role", "unverifiable maxmemory-policy", "unverifiable appendonly"}
	tests := map[string]struct {
		info    []byte
		refused []string
	}{
		"sound":                              {nil, nil},
		"verbatim":                           {fmt.Appendf(nil, "=%d\r\ntxt:%s\r\n", len(soundInfo)+4, soundInfo), nil},
		"bare line ends":                     {changed("\r\n", "\n"), nil},
		"upper case":                         {redistest.Bulk(strings.ToUpper(soundInfo)), nil},
		"upper case, evicting":               {bytes.ToUpper(changed("noeviction", "allkeys-lru")), []string{"eviction maxmemory-policy"}},
		"mode as valkey says it":             {changed("redis_mode", "server_mode"), nil},
		"cluster as valkey says it":          {changed("redis_mode:standalone", "server_mode:cluster"), []string{"deployment redis_mode"}},
		"sentinel as valkey says it":         {changed("redis_mode:standalone", "server_mode:sentinel"), []string{"deployment redis_mode"}},
		"no mode, but role and cluster":      {changed("redis_mode:standalone\r\n", ""), nil},
		"no mode and no cluster":             {changed("redis_mode:standalone\r\n", "", "cluster_enabled:0\r\n", ""), []string{"unverifiable redis_mode"}},
		"cluster enabled":                    {changed("cluster_enabled:0", "cluster_enabled:1"), []string{"deployment redis_mode"}},
		"no mode, and cluster is no switch":  {changed("redis_mode:standalone\r\n", "", "cluster_enabled:0", "cluster_enabled:maybe"), []string{"unverifiable redis_mode"}},
		"mode of a proxy":                    {changed("redis_mode:standalone", "redis_mode:proxy"), []string{"unverifiable redis_mode"}},
		"mode of a proxy before a cluster":   {changed("redis_mode:standalone", "redis_mode:proxy", "cluster_enabled:0", "cluster_enabled:1"), []string{"deployment redis_mode"}},
		"mode that is no word":               {changed("redis_mode:standalone", "redis_mode:<b>standalone</b>", "cluster_enabled:0\r\n", ""), []string{"unverifiable redis_mode"}},
		"two servers of one proxy":           {redistest.Bulk(soundInfo + strings.NewReplacer("role:master", "role:slave", "run_id:abc", "run_id:abd").Replace(soundInfo)), []string{"unverifiable role", run}},
		"two servers, the other way around":  {redistest.Bulk(strings.NewReplacer("role:master", "role:slave", "run_id:abc", "run_id:abd").Replace(soundInfo) + soundInfo), []string{"unverifiable role", run}},
		"the same twice":                     {redistest.Bulk(soundInfo + soundInfo), nil},
		"a page of a proxy":                  {redistest.Bulk("<html>\r\n<p>role:<b>master</b>\r\nmaxmemory:<i>0</i>\r\nrun_id:" + password + "</html>"), append(unseen, run)},
		"policy of half a name":              {changed("noeviction", "volatile-"), []string{"eviction maxmemory-policy"}},
		"cut off":                            {redistest.Bulk(soundInfo[:strings.Index(soundInfo, "maxmemory_policy")]), []string{"unverifiable role", "unverifiable maxmemory-policy", "unverifiable appendonly", run}},
		"replica":                            {changed("role:master", "role:slave"), []string{"deployment role"}},
		"no role":                            {changed("role:master\r\n", ""), []string{"unverifiable role"}},
		"no policy":                          {changed(policy+"\r\n", ""), []string{"unverifiable maxmemory-policy"}},
		"empty policy":                       {changed(policy, "maxmemory_policy:"), []string{"unverifiable maxmemory-policy"}},
		"policy that is no word":             {changed(policy, "maxmemory_policy:no eviction; see wiki"), []string{"unverifiable maxmemory-policy"}},
		"no policy, no limit":                {changed(policy+"\r\n", "", "maxmemory:1000", "maxmemory:0"), nil},
		"evicting, limit not told":           {changed("noeviction", "allkeys-lru", "maxmemory:1000\r\n", ""), []string{"unverifiable maxmemory"}},
		"newer policy that spares leases":    {changed("noeviction", "volatile-lrm"), nil},
		"newer policy that does not":         {changed("noeviction", "allkeys-lrm"), []string{"eviction maxmemory-policy"}},
		"policy of one service":              {changed("noeviction", "optimistic-volatile"), []string{"eviction maxmemory-policy"}},
		"append-only off":                    {changed("aof_enabled:1", "aof_enabled:0"), []string{"durability appendonly"}},
		"append-only not told":               {changed("aof_enabled:1\r\n", ""), []string{"unverifiable appendonly"}},
		"run id not told":                    {changed("run_id:abc\r\n", ""), []string{run}},
		"replication id not told":            {changed("master_replid:def\r\n", ""), []string{run}},
		"another server than for the script": {changed("run_id:abc", "run_id:abd"), []string{run}},
		"array":                              {redistest.Array(redistest.Bulk(soundInfo)), []string{"unverifiable server"}},
		"nothing there":                      {redistest.Null(), append(unseen, run)},
		"empty":                              {redistest.Bulk(""), append(unseen, run)},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := clientOf(t, redistest.ClientOptions(odd{info: test.info}.start(t).Addr()))
			mustFind(t, client, leases(), test.refused, nil)
		})
	}
}

func TestC144_ASettingOfAnyShapeIsReadForWhatItSays(t *testing.T) {
	t.Parallel()
	unseen := []string{"unverifiable appendfsync", "unverifiable no-appendfsync-on-rewrite"}
	tests := map[string]struct {
		config  func(name string) []byte
		refused []string
	}{
		"array": {func(name string) []byte { return pair(name, soundSetting(name)) }, nil},
		"map": {func(name string) []byte {
			return append([]byte("%1\r\n"), append(redistest.Bulk(name), redistest.Bulk(soundSetting(name))...)...)
		}, nil},
		"simple strings": {func(name string) []byte {
			return redistest.Array(redistest.Status(name), redistest.Status(soundSetting(name)))
		}, nil},
		"upper case": {func(name string) []byte { return pair(strings.ToUpper(name), strings.ToUpper(soundSetting(name))) }, nil},
		"all settings": {func(string) []byte {
			return redistest.Array(
				redistest.Bulk("no-appendfsync-on-rewrite"), redistest.Bulk("no"), redistest.Bulk("appendfsync"), redistest.Bulk("always"),
			)
		}, nil},
		"upper case, wrong": {func(name string) []byte { return pair(name, "EVERYSEC") },
			[]string{"durability appendfsync", "durability no-appendfsync-on-rewrite"}},
		"empty array":     {func(string) []byte { return redistest.Array() }, unseen},
		"empty map":       {func(string) []byte { return []byte("%0\r\n") }, unseen},
		"nothing there":   {func(string) []byte { return redistest.Null() }, unseen},
		"name alone":      {func(name string) []byte { return redistest.Array(redistest.Bulk(name)) }, unseen},
		"value alone":     {func(name string) []byte { return redistest.Bulk(soundSetting(name)) }, unseen},
		"value missing":   {func(name string) []byte { return redistest.Array(redistest.Bulk(name), redistest.Null()) }, unseen},
		"empty value":     {func(name string) []byte { return pair(name, "") }, unseen},
		"another setting": {func(name string) []byte { return pair("x"+name, soundSetting(name)) }, unseen},
		"number":          {func(string) []byte { return redistest.Integer(1) }, unseen},
		"too long":        {func(name string) []byte { return pair(name, strings.Repeat("always", 1000)) }, unseen},
		"unknown command": {func(string) []byte { return redistest.Error("ERR unknown command 'config'") }, unseen},
		"own refusal":     {func(string) []byte { return redistest.Error("ERR " + password + " is not for you") }, unseen},
		"no permission":   {func(string) []byte { return redistest.Error("NOPERM no") }, unseen},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := clientOf(t, redistest.ClientOptions(odd{config: test.config}.start(t).Addr()))
			posture := mustFind(t, client, leases(), test.refused, nil)
			if text := posture.Report().String(); strings.Contains(text, password) {
				t.Errorf("repeats what the server said: %s", text)
			}
			mustFind(t, client, redisadapter.Needs{}, nil, nil)
		})
	}
}

func TestAScriptThatComesToNothingIsARefusal(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		eval    []byte
		refused string
	}{
		"number":          {redistest.Integer(1), "capability EVAL"},
		"another form":    {redistest.Bulk("x"), "capability EVAL"},
		"no time":         {redistest.Bulk("- - abc:-"), "capability TIME"},
		"time no number":  {redistest.Bulk("x 1 abc:-"), "capability TIME"},
		"no identity":     {redistest.Bulk("1 2 -"), "unverifiable run_id, master_replid"},
		"another server":  {redistest.Bulk("1 2 abd:-"), "unverifiable run_id, master_replid"},
		"unknown command": {redistest.Error("ERR unknown command 'eval'"), "capability EVAL"},
		"no lua":          {redistest.Error("ERR " + password), "capability EVAL"},
		"loading":         {redistest.Error("LOADING " + password), "unverifiable server"},
		"busy":            {redistest.Error("BUSY " + password), "unverifiable server"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := clientOf(t, redistest.ClientOptions(odd{eval: test.eval}.start(t).Addr()))
			posture := mustFind(t, client, leases(), []string{test.refused}, nil)
			if text := posture.Report().String(); strings.Contains(text, password) {
				t.Errorf("repeats what the server said: %s", text)
			}
		})
	}
}

// TestAServerThatTellsNoScriptWhoItIsCanBeAcceptedButNotWatched: why it is unknown matters to whoever has to mend it.
func TestAServerThatTellsNoScriptWhoItIsCanBeAcceptedButNotWatched(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		eval, reason string
		watched      bool
	}{
		"refused":        {"1 2 -", "unknown (refused inside a script)", false},
		"another server": {"1 2 abd:-", "unknown (different with each connection)", true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := clientOf(t, redistest.ClientOptions(odd{eval: redistest.Bulk(test.eval)}.start(t).Addr()))
			needs := leases()
			needs.UnverifiedServerAccepted = true
			posture := mustFind(t, client, needs, nil, []string{"unverifiable run_id, master_replid"})
			var finding *redisadapter.UnverifiableError
			if noted := posture.Report().Noted; len(noted) != 1 || !errors.As(noted[0], &finding) || finding.Seen != test.reason {
				t.Errorf("%v does not say %q", noted, test.reason)
			}
			if watched := posture.GuardArgument() != ""; watched != test.watched {
				t.Errorf("watched: %t, want %t", watched, test.watched)
			}
		})
	}
}
