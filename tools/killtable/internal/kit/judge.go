package kit

import (
	"fmt"
	"strings"
)

// Result is what became of one row.
type Result struct {
	Row      Row
	Red      Outcome
	Controls []Outcome
	Faults   []string // why the row does not show what it should; none if it does
}

// Killed tells whether the row shows that its promise is tested.
func (r *Result) Killed() bool { return len(r.Faults) == 0 }

func (r *Result) judge() {
	complain := func(format string, args ...any) { r.Faults = append(r.Faults, fmt.Sprintf(format, args...)) }
	switch {
	case r.Red.Ending == Asserted && strings.Contains(r.Red.Line, r.Row.Says):
	case r.Red.Ending == Asserted:
		complain("%s is red, and does not say %q", r.Row.Red, r.Row.Says)
	case r.Red.Ending == Hung && r.Row.Hangs:
	case r.Red.Ending == Hung && r.Row.Says != "" && strings.Contains(r.Red.Line, r.Row.Says):
	case r.Red.Ending == Passed:
		complain("survives: %s stays green", r.Row.Red)
	case r.Red.Ending == Missing:
		complain("%s does not exist or does not run", r.Row.Red)
	case r.Red.Ending == Skipped:
		complain("%s is skipped and shows nothing", r.Row.Red)
	default:
		complain("%s %s and does not fail by an assertion of its own: %s", r.Row.Red, r.Red.Ending, r.Red.Line)
	}
	for _, control := range r.Controls {
		switch control.Ending {
		case Passed:
		case Missing:
			complain("the control %s does not exist or does not run", control.Test)
		default:
			complain("the control %s must stay green and is %s: %s", control.Test, control.Ending, control.Line)
		}
	}
}

// judgeBaseline tells what is wrong with a test when no sabotage is on.
func judgeBaseline(pkg string, o Outcome) string {
	switch o.Ending {
	case Passed:
		return ""
	case Missing:
		return fmt.Sprintf("%s: %s does not exist or does not run", pkg, o.Test)
	default:
		return fmt.Sprintf("%s: %s is %s without any sabotage: %s", pkg, o.Test, o.Ending, o.Line)
	}
}
