package redisadapter

import (
	"strings"
	"time"
)

// Report is what a check found. It is a plain value.
type Report struct {
	// Servers are the primaries that were asked, in order of their nodes.
	Servers []ServerReport
	// Refused are the findings that refuse the server.
	Refused []error
	// Noted are those that do not: what a cache can live with, and what was accepted.
	Noted []error
}

// ServerReport is what one server says of itself, in lower case. A field is empty where it did not.
type ServerReport struct {
	Node                                          string // host and port; empty for a client of one server
	Product                                       string // "redis" or "valkey"
	Version, Mode, Role, MaxMemory                string // MaxMemory in bytes, "0" for no limit
	MaxMemoryPolicy, AppendOnly                   string // AppendOnly "yes" or "no"
	AppendFsync, NoAppendFsyncOnRewrite, Replicas string // the first two only where durability is needed
	LastAppendStatus, LastSnapshotStatus          string // "err": the server may refuse writes
	Identity                                      Identity

	// Skew is how far the server's clock is before this process's own, give or take SkewWithin; 0 of which means that it is not known. It decides
	// nothing here: leases run on the server's clock alone, and entries allow for Config.MaxClockSkew.
	Skew, SkewWithin time.Duration
}

// String is a line for each finding, fit for a log.
func (r Report) String() string {
	var b strings.Builder
	for _, err := range r.Refused {
		b.WriteString("refused: " + err.Error() + "\n")
	}
	for _, err := range r.Noted {
		b.WriteString("noted: " + err.Error() + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func (f facts) report() ServerReport {
	get := func(names ...string) string { return f.info.plain(names...).value }
	s := ServerReport{
		Node: f.node, Product: "redis", Version: get("valkey_version", "redis_version"), Mode: get("redis_mode", "server_mode"), Role: get("role"),
		MaxMemory: get("maxmemory"), MaxMemoryPolicy: get("maxmemory_policy"), AppendOnly: yesOrNo(f.info.plain("aof_enabled")).value,
		AppendFsync: f.fsync.value, NoAppendFsyncOnRewrite: f.rewrite.value, Replicas: get("connected_slaves"),
		LastAppendStatus: get("aof_last_write_status"), LastSnapshotStatus: get("rdb_last_bgsave_status"),
		Identity: identityOf(f.info), Skew: f.probed.skew, SkewWithin: f.probed.within,
	}
	switch {
	case f.info["valkey_version"] != "", f.info["server_name"] == "valkey":
		s.Product = "valkey"
	case s.Version == "":
		s.Product = ""
	}
	return s
}
