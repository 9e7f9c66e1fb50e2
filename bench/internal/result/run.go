package result

// Run is one contender in one variant of a scenario.
type Run struct {
	Contender string `json:"contender"` // "P0"
	Name      string `json:"name"`      // "plain cache-aside"
	Variant   string `json:"variant,omitempty"`
	Nodes     int    `json:"nodes"`

	Offered  int64   `json:"offered"` // requests that users made, their retries not counted
	Good     int64   `json:"good"`    // answered within the caller's deadline, counted from the intended arrival
	Goodput  float64 `json:"goodput"` // Good / Offered, from the trigger to the end
	Attempts int64   `json:"attempts"`

	Endings map[string]int64 `json:"endings"` // of attempts: "hit", "loaded", "stale", ...
	Reasons map[string]int64 `json:"reasons"` // of refusals and failures

	SourceCalls       int64   `json:"source_calls"`
	SourceConcurrency int     `json:"source_concurrency"` // peak of loads being worked on
	SourceOutstanding int     `json:"source_outstanding"` // peak of loads being worked on or waiting in the source's queue
	SourceWasted      int64   `json:"source_wasted"`      // loads that nobody waited for any more when they ended
	CallersPeak       int     `json:"callers_peak"`       // calls under way at once
	HitRatio          float64 `json:"hit_ratio"`          // of attempts: hits and stale answers
	StoreOperations   float64 `json:"store_operations"`   // per Get
	Violations        int64   `json:"violations"`         // answers older than what an invalidation, or the source's own word, had settled before
	ViolationsStored  int64   `json:"violations_stored"`  // of these, answers that the store held; the others are of loads that were under way when the call came

	RecoverySeconds float64 `json:"recovery_seconds"` // from the end of the trigger, 0 without one, to the first of five seconds with goodput >= 0.99; -1 = never
	LostAreaSeconds float64 `json:"lost_area_seconds"`

	Latency    Latency            `json:"latency"`              // of all attempts
	ByEnding   map[string]Latency `json:"latency_by_ending"`    // the same keys as Endings
	StaleAge   Latency            `json:"stale_age"`            // age of stale rows when they were answered
	PastHard   int64              `json:"past_hard"`            // stale answers at or past their hard expiry
	Goroutines int                `json:"goroutines,omitempty"` // peak; live only
	HeapBytes  uint64             `json:"heap_bytes,omitempty"` // peak; live only
	// Extra holds figures of one scenario only, by a name that says their unit.
	Extra       map[string]float64 `json:"extra,omitempty"`
	Seconds     []Second           `json:"seconds"`
	Interrupted bool               `json:"interrupted,omitempty"`
}

// Second is what happened in one second of a run; requests count in the second of their intended arrival, loads in that of their start.
type Second struct {
	Offered           int64   `json:"offered"`
	Good              int64   `json:"good"`
	Stale             int64   `json:"stale"`
	Rejected          int64   `json:"rejected"`
	Failed            int64   `json:"failed"`
	SourceCalls       int64   `json:"source_calls"`
	SourceOutstanding int     `json:"source_outstanding"`
	P50Milliseconds   float64 `json:"p50_milliseconds"`
	P99Milliseconds   float64 `json:"p99_milliseconds"`
}

// Goodput is the part of the requests of this second that was answered in time; 1 where there was none.
func (s Second) Goodput() float64 {
	if s.Offered == 0 {
		return 1
	}
	return float64(s.Good) / float64(s.Offered)
}

// Latency is a distribution, in milliseconds.
type Latency struct {
	Count int64   `json:"count"`
	Mean  float64 `json:"mean"`
	P50   float64 `json:"p50"`
	P90   float64 `json:"p90"`
	P99   float64 `json:"p99"`
	P999  float64 `json:"p999"`
	Max   float64 `json:"max"`
	// Tail is the complementary distribution: the part of all values above each value.
	Tail []Point `json:"tail,omitempty"`
}

// Point is one of a line.
type Point struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}
