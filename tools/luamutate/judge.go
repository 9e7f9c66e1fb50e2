package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// judge tells how a call broke its promise, "" if it did not.
func judge(p promise, code int64, called error, before, after, left sight) string {
	if how := judgeReply(p, code, called); how != "" {
		return how
	}
	switch {
	case p.writes && after.dump == "":
		return "nothing is stored"
	case p.writes && after.text != newValue:
		return "another value is stored"
	case p.writes && !near(after.life, newLifeOf()):
		return fmt.Sprintf("its life is %v", after.life)
	case !p.writes && after.dump != before.dump:
		return "the entry was changed"
	case !p.writes && after.dump != "" && !near(after.life, before.life):
		return fmt.Sprintf("the entry's life became %v", after.life)
	case p.stays && left.dump == "":
		return "what was staged is gone"
	case !p.stays && left.dump != "":
		return "what was staged is still there"
	case p.stays && (left.life <= 0 || left.life > stagedLife):
		return fmt.Sprintf("the life of what was staged is %v", left.life)
	}
	return ""
}

func judgeReply(p promise, code int64, called error) string {
	switch {
	case p.fails == "" && called != nil:
		return "it failed: " + called.Error()
	case p.fails == "" && code != p.code:
		return fmt.Sprintf("it returned %d, not %d", code, p.code)
	case p.fails == "":
	case called == nil:
		return fmt.Sprintf("it returned %d and did not fail", code)
	case !strings.Contains(called.Error(), p.fails):
		return "it failed otherwise: " + called.Error()
	case strings.Contains(called.Error(), "user_script"): // what a server adds to an error that a script did not catch
		return "it raised: " + called.Error()
	}
	return ""
}

// near tells whether a life is the wanted one, less what a slow machine may take; both are negative for a value without one.
func near(life, wanted time.Duration) bool {
	if wanted < 0 || life < 0 {
		return wanted < 0 && life < 0
	}
	return life <= wanted && life > wanted-slack
}

func newLifeOf() time.Duration {
	millis, err := strconv.Atoi(newLife)
	if err != nil {
		return 0
	}
	return time.Duration(millis) * time.Millisecond
}
