package redistest

import (
	"fmt"
	"strings"
)

// Options says how a server differs from the default one: loopback only, no
// persistence, no password, no memory limit, DEBUG allowed. The zero value is
// ready to use.
type Options struct {
	// Password is required from every connection of the default user.
	Password string
	// Users are access control rules in the form of the server's own
	// configuration, for example "reader on >secret ~app:* +@read".
	Users []string
	// MaxMemory is a size as the server writes it, for example "4mb"; empty
	// means no limit.
	MaxMemory string
	// MaxMemoryPolicy is the eviction policy; empty means the server's default.
	MaxMemoryPolicy string
	// AppendOnly makes the server write every change to disk before it
	// answers, so that data outlives Kill and Restart.
	AppendOnly bool
	// Config are further configuration lines, written last: they win.
	Config []string
	// Args are further command line arguments; they win over Config.
	Args []string

	// Authority, if any, makes the server speak TLS alone, with the certificate that the authority gave it. Clients need not have one. A Monitor
	// and a Proxy speak no TLS.
	Authority *Authority

	// cluster makes the server a cluster node.
	cluster bool
	// sentinel makes the server a sentinel, which keeps no data.
	sentinel *sentinel
}

// config renders the configuration file of a server on port, with dir as its
// directory. clusterPort is used by cluster nodes alone.
func (o Options) config(dir string, port, clusterPort int) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("bind 127.0.0.1")
	if o.Authority == nil {
		line("port %d", port)
	} else {
		line("port 0")
		line("tls-port %d", port)
		line("tls-cert-file %s", quote(certificatePath(dir)))
		line("tls-key-file %s", quote(keyPath(dir)))
		line("tls-auth-clients no")
	}
	line("dir %s", quote(dir))
	line("unixsocket %s", quote(socketPath(dir)))
	line("daemonize no")
	if o.sentinel != nil {
		o.sentinel.config(line)
		return b.String()
	}
	line("enable-debug-command yes")
	line("repl-diskless-sync-delay 0")
	line(`save ""`)
	if o.AppendOnly {
		line("appendonly yes")
		line("appendfsync always")
	} else {
		line("appendonly no")
	}
	if o.Password != "" {
		line("requirepass %s", quote(o.Password))
		line("masterauth %s", quote(o.Password))
	}
	for _, user := range o.Users {
		line("user %s", user)
	}
	if o.MaxMemory != "" {
		line("maxmemory %s", o.MaxMemory)
	}
	if o.MaxMemoryPolicy != "" {
		line("maxmemory-policy %s", o.MaxMemoryPolicy)
	}
	if o.cluster {
		line("cluster-enabled yes")
		line("cluster-config-file nodes.conf")
		line("cluster-node-timeout %s", nodeTimeout)
		line("cluster-port %d", clusterPort)
	}
	for _, extra := range o.Config {
		line("%s", extra)
	}
	return b.String()
}

// quote renders s as one double-quoted argument of a server configuration
// line. Go's own quoting is no substitute: its \u escapes mean nothing there.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c > '~':
			fmt.Fprintf(&b, `\x%02x`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
