package result

// Document is one run of the lab's command.
type Document struct {
	Command   string            `json:"command"` // as typed
	Machine   Machine           `json:"machine"`
	Versions  map[string]string `json:"versions"` // of what was compared and what it ran on: "redis", "go-redis", ...
	Seed      uint64            `json:"seed"`
	Started   string            `json:"started"` // RFC 3339
	Seconds   float64           `json:"seconds"`
	Complete  bool              `json:"complete"` // false: interrupted, and Scenarios is what was measured by then
	Scenarios []Scenario        `json:"scenarios"`
	Maps      []Map             `json:"maps,omitempty"`
	Tables    []Table           `json:"tables,omitempty"`
	Limits    []string          `json:"limits"` // where the results do not hold, one sentence each
}

// Machine is where it ran.
type Machine struct {
	Go   string `json:"go"`
	OS   string `json:"os"`
	Arch string `json:"arch"`
	CPU  string `json:"cpu"`
	CPUs int    `json:"cpus"`
}

// Scenario is one question, put to several contenders.
type Scenario struct {
	ID         string      `json:"id"` // "S1"
	Title      string      `json:"title"`
	Question   string      `json:"question"` // one or two sentences
	Mode       string      `json:"mode"`     // "sim" or "live"
	Parameters []Parameter `json:"parameters"`
	Runs       []Run       `json:"runs"`
	Checks     []Check     `json:"checks"`
	Plots      []Plot      `json:"plots"`
	Notes      []string    `json:"notes,omitempty"` // what to keep in mind with these figures
}

// Parameter is a name and its value, as a reader would write it: "rate", "2000/s".
type Parameter struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Verdict is what became of a check.
type Verdict string

// A figure is within its bound or not; or it is shown without a bound, for there is none for this contender or none that can be kept on a shared
// machine.
const (
	Pass  Verdict = "pass"
	Fail  Verdict = "fail"
	Shown Verdict = "shown"
)

// Check is one figure beside what it must be.
type Check struct {
	Contender string  `json:"contender"` // "P7"
	Variant   string  `json:"variant,omitempty"`
	What      string  `json:"what"`
	Bound     string  `json:"bound,omitempty"`
	Measured  string  `json:"measured"`
	Verdict   Verdict `json:"verdict"`
}

// Table is a table of words, such as what each library does when a loader panics.
type Table struct {
	Title   string     `json:"title"`
	Note    string     `json:"note,omitempty"`
	Columns []string   `json:"columns"`
	Rows    [][]string `json:"rows"`
}
