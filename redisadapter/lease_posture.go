package redisadapter

import (
	"context"
	"errors"
	"strings"

	"github.com/redis/go-redis/v9"
)

// checkLeasePosture asks the server how it is set up, and tells at once everything by which it may drop a lease that it granted. What an opt-out accepts
// is left out; one silences only its own finding.
func checkLeasePosture(ctx context.Context, s *store, cfg LeaseConfig) error {
	call := limited(ctx, s.limits.record)
	defer call.cancel()
	info := redis.NewStringCmd(call.ctx, "info")
	if err := s.port.writes.Process(call.ctx, info); err != nil {
		var refusal redis.Error
		switch fault := s.faultOf(&call, "", err, true); {
		case !errors.As(err, &refusal):
			return call.failure("open", fault, err)
		case cfg.UnverifiedServerAccepted:
			return nil
		}
		return unverifiable("INFO")
	}
	found := parseInfo(info.Val())
	var faults []error
	for _, rule := range leaseRules {
		faults = append(faults, rule(found, cfg))
	}
	if !cfg.AcknowledgedWritesMayBeLost && found["aof_enabled"] == "1" {
		faults = append(faults, checkFsync(&call, s, cfg))
	}
	return errors.Join(faults...)
}

// leasePostureError is one finding: which setting, what it is, what it must be, and what it costs.
type leasePostureError struct{ setting, seen, wanted, consequence string }

func (e *leasePostureError) Error() string {
	return "redisadapter: server setting " + e.setting + " is " + e.seen + ", must be " + e.wanted + ": " + e.consequence
}

func unverifiable(setting string) error {
	return &leasePostureError{
		setting, "not told", "told, or LeaseConfig.UnverifiedServerAccepted on", "nobody knows whether the server may drop leases",
	}
}

var leaseRules = [...]func(info map[string]string, cfg LeaseConfig) error{
	func(info map[string]string, cfg LeaseConfig) error {
		mode := info["redis_mode"]
		if mode == "" {
			mode = info["server_mode"]
		}
		return wanted(cfg, "mode", mode, "standalone", mode == "standalone", "one primary has to issue all tokens of a key")
	},
	func(info map[string]string, cfg LeaseConfig) error {
		return wanted(cfg, "role", info["role"], "master", info["role"] == "master", "a replica does not decide")
	},
	func(info map[string]string, cfg LeaseConfig) error {
		policy := info["maxmemory_policy"]
		fine := !strings.HasPrefix(policy, "allkeys-") || info["maxmemory"] == "0"
		return wanted(cfg, "maxmemory-policy", policy, "noeviction or volatile-*", policy != "" && fine,
			"a full server drops leases that are held, and their tokens")
	},
	func(info map[string]string, cfg LeaseConfig) error {
		if cfg.AcknowledgedWritesMayBeLost {
			return nil
		}
		return wanted(cfg, "appendonly", info["aof_enabled"], "1, or LeaseConfig.AcknowledgedWritesMayBeLost on", info["aof_enabled"] == "1",
			"a crash loses leases that are held")
	},
}

func wanted(cfg LeaseConfig, setting, seen, want string, fine bool, consequence string) error {
	switch {
	case fine, seen == "" && cfg.UnverifiedServerAccepted:
		return nil
	case seen == "":
		return unverifiable(setting)
	}
	return &leasePostureError{setting, seen, want, consequence}
}

// checkFsync asks for what INFO does not tell: whether a write is on disk before it is acknowledged.
func checkFsync(c *call, s *store, cfg LeaseConfig) error {
	asked := redis.NewMapStringStringCmd(c.ctx, "config", "get", "*appendfsync*")
	if err := s.port.writes.Process(c.ctx, asked); err != nil {
		var refusal redis.Error
		switch fault := s.faultOf(c, "", err, true); {
		case !errors.As(err, &refusal):
			return c.failure("open", fault, err)
		case cfg.UnverifiedServerAccepted:
			return nil
		}
		return unverifiable("appendfsync")
	}
	const consequence = "a crash loses leases that are held"
	settings := asked.Val()
	rewrite := settings["no-appendfsync-on-rewrite"]
	return errors.Join(
		wanted(cfg, "appendfsync", settings["appendfsync"], "always, or LeaseConfig.AcknowledgedWritesMayBeLost on",
			settings["appendfsync"] == "always", consequence),
		wanted(cfg, "no-appendfsync-on-rewrite", rewrite, "no, or LeaseConfig.AcknowledgedWritesMayBeLost on", rewrite == "no", consequence),
	)
}

// parseInfo reads the lines "name:value" of INFO.
func parseInfo(text string) map[string]string {
	found := map[string]string{}
	for line := range strings.Lines(text) {
		if name, value, ok := strings.Cut(strings.TrimRight(line, "\r\n"), ":"); ok {
			found[name] = value
		}
	}
	return found
}
